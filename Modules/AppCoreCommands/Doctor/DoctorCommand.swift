import AppCore
import ArgumentParser
import Documents
import ErrorCodes

/// `appcore doctor`.
struct DoctorCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the installation and suggest fixes.",
    discussion: """
      Exits with 0 if everything works, else with 1; warnings alone exit with 0. Makes one request \
      for each account that is signed in, and stores nothing.

      With --provider it fetches one page of each of the provider's lists and shows each field of the \
      first record: its path, the raw value and the parsed value. It stores nothing.
      """)

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp("Show how this provider's records are read.", valueName: "name"),
    completion: ConfiguredValues.providers)
  var provider: String?

  func run(in environment: CommandEnvironment) async throws {
    if let provider {
      try await CommandContext.run(global, in: environment) { context in
        try await ProviderExamination(context).run(provider)
      }
      return
    }
    let directories = Directories(environment: environment.variables)
    do {
      try await CommandContext.run(global, in: environment) { context in
        let findings = await context.waiting(first: "Checking…") { show in
          await context.core.diagnose(in: directories, environment: environment.variables) {
            show($0.isEmpty ? "Checking…" : "Checking \($0.joined(separator: ", "))…")
          }
        }
        try await Self.report(findings, context.terminal, context.core.configuration)
      }
    } catch let error as ConfigurationError {
      // Without a core, the folders can still be checked.
      let terminal = Terminal(
        console: environment.console, isJSON: global.json, isQuiet: global.quiet,
        showsSteps: global.showsSteps)
      let findings = [Finding("configuration", error)] + (await Diagnosis.folders(directories))
      try await Self.report(findings, terminal)
    }
  }

  private static func report(
    _ findings: [Finding], _ terminal: Terminal, _ configuration: CoreConfiguration? = nil
  ) async throws {
    let document = DoctorDocument(
      checks: findings.map {
        DoctorDocument.Check($0, in: configuration, program: terminal.console.program)
      })
    try await terminal.print(document, text: document.text)
    if !document.works { throw CommandEnded(status: .unclassified) }
  }
}
