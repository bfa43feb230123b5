import AppCore
import Foundation

/// What a command works with: the core, made from the options, and closed in every case.
struct CommandContext: Sendable {
  let core: ApplicationCore
  let account: String
  let terminal: Terminal

  /// Makes the core, runs `body`, and closes the core whatever happened.
  static func run(
    _ options: GlobalOptions, account: String? = nil,
    adjusting adjust: (inout CoreConfiguration, _ account: String) throws -> Void = { _, _ in },
    _ body: @Sendable (CommandContext) async throws -> Void
  ) async throws {
    ConsoleLog(options).install()
    var configuration = try ConfigurationLoader().load(path: options.config)
    let account = account ?? configuration.defaultAccount
    try adjust(&configuration, account)
    let core = try ApplicationCore(
      configuration: configuration, httpObserver: options.traceHTTP ? HTTPTrace.write : nil)
    let context = CommandContext(
      core: core, account: account,
      terminal: Terminal(
        isJSON: options.json, isQuiet: options.quiet, tellsSteps: options.tellsSteps))
    do {
      try await body(context)
    } catch {
      // The first error is the one to tell; closing must not hide it.
      try? await core.close()
      throw error
    }
    try await core.close()
  }
}
