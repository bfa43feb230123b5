import AppCore
import Documents
import ErrorCodes

/// The document that `appcore doctor` prints.
struct DoctorDocument: Encodable {
  struct Check: Encodable {
    let name: String
    /// False if the check failed; a warning works.
    let works: Bool
    /// `ok`, `warning` or `failed`.
    let outcome: String
    let detail: String
    let hint: Nullable<String>
    /// The words of the provider's server, if the check met a refusal.
    var providerMessage: String?

    init(name: String, outcome: Finding.Outcome, detail: String, hint: String?) {
      self.name = name
      self.outcome = outcome.rawValue
      works = outcome != .failed
      self.detail = detail
      self.hint = Nullable(hint)
    }

    /// - Parameters:
    ///   - configuration: as for a ``Failure``.
    ///   - program: the program that the hint's commands call.
    init(
      _ finding: Finding, in configuration: CoreConfiguration? = nil,
      program: HintProgram = HintProgram()
    ) {
      let failure = finding.error.map {
        program.adapted(Failure($0, in: configuration, account: finding.account))
      }
      self.init(
        name: finding.name, outcome: finding.outcome, detail: failure?.message ?? finding.detail,
        hint: failure?.hint ?? Self.hint(of: finding, in: configuration).map(program.text))
      providerMessage = failure?.providerMessage
    }

    /// Returns the hint of a finding whose error has none.
    private static func hint(of finding: Finding, in configuration: CoreConfiguration?) -> Hint? {
      if let error = finding.error {
        return (error as? any CodedError)?.code.exitStatus == .configuration
          ? HintAccount.correction : nil
      }
      guard let run = finding.run else { return finding.hint }
      return HintAccount(finding.account, in: configuration)
        .hint(after: run.record, of: run.resource)
    }

    fileprivate var mark: String {
      guard works else { return "FAIL" }
      return outcome == Finding.Outcome.warning.rawValue ? "WARN" : "ok  "
    }
  }

  let schemaVersion = 1
  let works: Bool
  let checks: [Check]

  init(checks: [Check]) {
    self.checks = checks
    works = checks.allSatisfy(\.works)
  }

  var text: String {
    checks.map { check in
      "\(check.mark) \(printable(check.name)): \(printable(check.detail))"
        + (check.providerMessage.map { "\n     The provider says: \(printable($0))" } ?? "")
        + (check.hint.value.map { "\n     \(printable($0))" } ?? "")
    }.joined(separator: "\n")
  }
}
