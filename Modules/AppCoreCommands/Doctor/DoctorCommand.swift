import AppCore
import ArgumentParser
import ErrorCodes
import Foundation
import Models
import Presentation

struct DoctorCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the installation and suggest fixes.",
    discussion: """
      Exits with 0 if everything works, else with 1; warnings alone exit with 0. Makes one request \
      for each account that is signed in, and stores nothing.

      With --provider it fetches one page of each of the provider's lists and shows each field of the \
      first record: its path, the raw value and the parsed value. It counts the words of statuses and \
      types, and tries the filter for changes. It stores nothing.
      """)

  static let examples = ["doctor", "doctor --provider xero"]

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
        try await Self.report(
          findings, context.terminal, context.core.configuration,
          await context.core.organisationNames())
      }
    } catch let error as ConfigurationError {
      // Without a core, the folders can still be checked.
      let findings = [Finding("configuration", error)] + (await Diagnosis.folders(directories))
      try await Self.report(findings, environment.terminal.with(global))
    }
  }

  private static func report(
    _ findings: [Finding], _ terminal: Terminal, _ configuration: CoreConfiguration? = nil,
    _ organisations: OrganisationNames = OrganisationNames()
  ) async throws {
    let checks = findings.map { DoctorCheck($0, in: configuration) }
    let document = DoctorDocument(
      works: checks.allSatisfy(\.works),
      checks: checks.map { DoctorDocument.Check($0, calling: terminal.program) })
    let named = checks.map { $0.naming(organisations) }
    let text = DoctorCheck.joined(named).map { $0.text(calling: terminal.program) }
      .joined(separator: "\n")
    try await terminal.print(document, text: text, wraps: true)
    if !document.works { throw CommandEnded(status: .unclassified) }
  }
}

/// A finding in the words of the program.
struct DoctorCheck {
  fileprivate private(set) var name: String
  fileprivate let outcome: Finding.Outcome
  fileprivate private(set) var detail: Sentence
  fileprivate let hint: Hint?
  fileprivate let providerMessage: String?
  /// The account that the check is about; `nil` if it is about all.
  private let account: String?

  /// False if the check failed; a warning works.
  var works: Bool { outcome != .failed }

  init(_ name: String, _ outcome: Finding.Outcome, _ detail: Sentence, _ hint: Hint?) {
    (self.name, self.outcome, self.detail, self.hint) = (name, outcome, detail, hint)
    (providerMessage, account) = (nil, nil)
  }

  /// - Parameter configuration: as for a ``Failure``.
  init(_ finding: Finding, in configuration: CoreConfiguration?) {
    let failure = finding.error.map { Failure($0, in: configuration, account: finding.account) }
    (name, outcome, account) = (finding.name, finding.outcome, finding.account)
    detail = failure?.sentence ?? Sentence(finding.detail)
    hint = finding.hint ?? failure?.advice ?? Self.hint(of: finding, in: configuration)
    providerMessage = failure?.providerMessage
  }

  /// Returns the checks with those as one that found the same problem in several accounts.
  static func joined(_ checks: [DoctorCheck]) -> [DoctorCheck] {
    struct Problem: Hashable {
      let outcome: Finding.Outcome
      let subject: Substring
      let cause: String
      let hint: Hint?
    }
    var joined: [DoctorCheck] = []
    var places: [Problem: Int] = [:]
    var names: [Int: [String]] = [:]
    for check in checks {
      let problem = Problem(
        outcome: check.outcome, subject: check.subject, cause: check.cause, hint: check.hint)
      if check.outcome != .works, let place = places[problem] {
        names[place]?.append(String(check.name.dropFirst(check.subject.count + 1)))
      } else {
        places[problem] = joined.count
        names[joined.count] = [check.name]
        joined.append(check)
      }
    }
    for (index, all) in names where all.count > 1 {
      joined[index].name = all.joined(separator: ", ")
      joined[index].detail = Sentence(joined[index].cause)
    }
    return joined
  }

  /// Returns the check with the organisation behind its account's name.
  func naming(_ organisations: OrganisationNames) -> DoctorCheck {
    guard let account, name.hasPrefix("\(subject) \(account)") else { return self }
    var check = self
    check.name =
      "\(subject) \(organisations.title(of: account))"
      + name.dropFirst(subject.count + 1 + account.count)
    return check
  }

  /// The kind of check, whichever account it belongs to.
  private var subject: Substring { name.prefix { $0 != " " } }

  /// The detail without the account at its beginning.
  private var cause: String {
    let (text, beginning) = (detail.description, "account '\(account ?? "")': ")
    return text.hasPrefix(beginning) ? String(text.dropFirst(beginning.count)) : text
  }

  /// Returns the hint of a finding whose error has none.
  private static func hint(of finding: Finding, in configuration: CoreConfiguration?) -> Hint? {
    if let error = finding.error {
      return (error as? any CodedError)?.code.exitStatus == .configuration
        ? HintAccount.correction(of: (error as? ConfigurationError)?.key) : nil
    }
    guard let run = finding.run else { return finding.hint }
    return HintAccount(finding.account, in: configuration)
      .hint(after: run.record, of: run.resource)
  }

  func text(calling program: HintProgram) -> String {
    let mark =
      switch outcome {
      case .works: "ok  "
      case .warning: "WARN"
      case .failed: "FAIL"
      }
    return "\(mark) \(printable(name)): \(printable(detail.text { HumanText.time($0) }))"
      + (providerMessage.map { "\n     The provider says: \(printable($0))" } ?? "")
      + (hint.map { "\n     \(printable(program.text($0, isUnbroken: true)))" } ?? "")
  }
}

private struct DoctorDocument: Encodable {
  struct Check: Encodable {
    let name: String
    let works: Bool
    /// `ok`, `warning` or `failed`.
    let outcome: String
    let detail: String
    let hint: Nullable<String>
    /// The words of the provider's server, if the check met a refusal.
    let providerMessage: String?
  }

  let schemaVersion = 1
  let works: Bool
  let checks: [Check]
}

extension DoctorDocument.Check {
  fileprivate init(_ check: DoctorCheck, calling program: HintProgram) {
    self.init(
      name: check.name, works: check.works, outcome: check.outcome.rawValue,
      detail: check.detail.description,
      hint: Nullable(check.hint.map { program.text($0) { "\($0)" } }),
      providerMessage: check.providerMessage)
  }
}
