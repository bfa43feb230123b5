import AppCore
import Documents

/// The document that `appcore doctor` prints.
struct DoctorDocument: Encodable {
  struct Check: Encodable {
    let name: String
    /// False if the check failed; a warning works.
    let works: Bool
    /// `ok`, `warning` or `failed`.
    let outcome: String
    let detail: String
    let cure: Nullable<String>

    init(name: String, outcome: Finding.Outcome, detail: String, cure: String?) {
      self.name = name
      self.outcome = outcome.rawValue
      works = outcome != .failed
      self.detail = detail
      self.cure = Nullable(cure)
    }

    /// - Parameter configuration: as for a ``Failure``.
    init(_ finding: Finding, in configuration: CoreConfiguration? = nil) {
      let failure = finding.error.map {
        Failure($0, in: configuration, account: finding.account)
      }
      self.init(
        name: finding.name, outcome: finding.outcome, detail: failure?.message ?? finding.detail,
        cure: failure?.hint ?? finding.fix)
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
        + (check.cure.value.map { "\n     \(printable($0))" } ?? "")
    }.joined(separator: "\n")
  }
}
