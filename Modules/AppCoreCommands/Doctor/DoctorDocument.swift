/// The document that `appcore doctor` prints.
struct DoctorDocument: Encodable {
  struct Check: Encodable {
    let name: String
    let works: Bool
    let detail: String
    let cure: Nullable<String>

    init(name: String, works: Bool, detail: String, cure: String?) {
      self.name = name
      self.works = works
      self.detail = detail
      self.cure = Nullable(cure)
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
      "\(check.works ? "ok  " : "FAIL") \(printable(check.name)): \(printable(check.detail))"
        + (check.cure.value.map { "\n     \(printable($0))" } ?? "")
    }.joined(separator: "\n")
  }
}
