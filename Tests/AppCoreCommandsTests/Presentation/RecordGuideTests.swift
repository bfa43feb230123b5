import Foundation
import Models
import Reports
import TestSupport
import Testing

@testable import Storage

/// The tables of fields in the guides, and Python's classes of records, which the lists of fields
/// write.
@Suite(.serialized, .timeLimit(.minutes(1))) struct RecordGuideTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let guides = "Modules/AppCore/AppCore.docc"

  /// Compares the text between two markers of a file with what the lists of fields say.
  ///
  /// - Parameter lines: returns the lines, given those that stand there.
  private func check(
    _ path: String, start: String, end: String, _ lines: ([String]) -> [String]
  ) throws {
    let file = Self.root.appending(path: path)
    let text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.components(separatedBy: start + "\n")
    try #require(parts.count == 2, "\(path) has no \(start)")
    let found = try #require(parts[1].range(of: end))
    let before = String(parts[1][..<found.lowerBound])
    let after = lines(before.components(separatedBy: "\n")).joined(separator: "\n") + "\n"
    // Records the tables after a change: APPCORE_RECORD=1 swift test --filter RecordGuideTests
    if ProcessInfo.processInfo.environment["APPCORE_RECORD"] == "1" {
      let rest = parts[1][found.lowerBound...]
      return try Data((parts[0] + start + "\n" + after + rest).utf8).write(to: file)
    }
    #expect(before == after, "\(path): \(start)")
  }

  private func checkGuide(
    _ guide: String, _ name: String, _ lines: ([String]) -> [String]
  ) throws {
    try check(
      "\(Self.guides)/\(guide).md", start: "<!-- written by RecordGuideTests: \(name) -->",
      end: "<!-- end -->", lines)
  }

  @Test("the guide of SQL names the columns of each view")
  func views() throws {
    try checkGuide("SQL", "views") { _ in
      ["| view | columns |", "|---|---|"]
        + Schema.views.map { view in
          "| `\(view.name)` | \(view.columns.map { "`\($0.name)`" }.joined(separator: ", ")) |"
        }
    }
  }

  @Test("the guide of exports names the columns of CSV")
  func csv() throws {
    func text(_ columns: [String]) -> [String] {
      [columns.map { "`\($0)`" }.joined(separator: ", ")]
    }
    try checkGuide("ExportColumns", "invoices") { _ in text(CSVTable.invoices.columns) }
    try checkGuide("ExportColumns", "lines") { _ in text(CSVTable.lines.columns) }
    try checkGuide("ExportColumns", "taxes") { _ in text(CSVTable.taxRates.columns) }
    try checkGuide("ExportColumns", "payments") { _ in text(CSVTable.payments.columns) }
    try checkGuide("ExportColumns", "allocations") { _ in text(CSVTable.allocations.columns) }
    try checkGuide("ExportColumns", "contacts") { _ in text(CSVTable.contacts.columns) }
  }

  /// A record as documents and Python show it.
  private struct Shown {
    let guide: String
    let python: String
    let summary: String
    let fields: [FieldDescription]
    let source: String
    let type: String
  }

  private static func shown<Record: FieldListing>(
    _ record: Record.Type, _ guide: String, _ python: String, _ summary: String, in source: String
  ) -> Shown {
    Shown(
      guide: guide, python: python, summary: summary, fields: FieldDescription.all(of: record),
      source: source, type: "\(record)")
  }

  private static let records = [
    shown(PostalAddress.self, "Address", "Address", "A postal address.", in: "Party"),
    shown(
      Party.self, "Party", "Party",
      "A party of an invoice, in its state when the invoice was written.", in: "Party"),
    shown(InvoiceLine.self, "Line", "Line", "A line of an invoice.", in: "InvoiceParts"),
    shown(TaxSubtotal.self, "Tax", "Tax", "The tax of one rate.", in: "InvoiceParts"),
    shown(
      InvoicePayment.self, "InvoicePayment", "InvoicePayment",
      "A payment that an invoice holds itself.", in: "InvoiceParts"),
    shown(
      Allocation.self, "Allocation", "Allocation",
      "The part of a payment, or of a credit note, that settles a document.", in: "Payment"),
    shown(
      AttachmentReference.self, "Attachment", "Attachment",
      "A file that the provider keeps with an invoice.", in: "InvoiceParts"),
    shown(
      AllowanceCharge.self, "Allowance", "AllowanceCharge",
      "An allowance or a charge on a whole invoice.", in: "InvoiceParts"),
    shown(
      HomeAmounts.self, "Home", "HomeAmounts",
      "The rate to the currency of the books, and amounts in that currency.", in: "HomeAmounts"),
    shown(
      CustomField.self, "CustomField", "CustomField",
      "The value of a field that the user has added to the provider's.", in: "InvoiceParts"),
    shown(
      Invoice.self, "Invoice", "Invoice", "An invoice, credit note or bill, as in a list.",
      in: "Invoice"),
    shown(
      Payment.self, "Payment", "Payment",
      "A payment of a list, or one that an invoice holds itself.", in: "Payment"),
    shown(
      Contact.self, "Contact", "Contact", "A contact of the provider's address book.",
      in: "Contact"),
  ]

  /// The members that documents have beside the fields of a record.
  private static let state = [
    ("account", "text"), ("deletedAt", "instant or null"),
    ("deletedReason", "text or null"),
  ]

  private func type(_ field: FieldDescription, isList: Bool = false) -> String {
    let orNull = field.isRequired ? "" : " or null"
    func name(_ fields: [FieldDescription]) -> String {
      Self.records.first { $0.fields.map(\.name) == fields.map(\.name) }?.guide ?? "?"
    }
    switch field.kind {
    case .identifier, .text, .currency, .word: return "text" + orNull
    case .flag: return "flag" + orNull
    case .integer: return "number" + orNull
    case .decimal, .amount: return "amount" + orNull
    case .day: return "day" + orNull
    case .instant: return "instant" + orNull
    case .texts: return "array of text"
    case .part(let fields):
      return name(fields) + (field.isRequired ? "" : " or null, optional")
    case .list(let fields): return "array of \(name(fields)), optional"
    }
  }

  /// Returns the first sentence of a property's comment, as a phrase.
  private func comment(_ field: FieldDescription, of record: Shown) throws -> String {
    let file = Self.root.appending(path: "Modules/Models/\(record.source).swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    let type = text.components(separatedBy: "public struct \(record.type):").last ?? ""
    let before = type.components(separatedBy: "  public var \(field.name):").first ?? ""
    let lines = before.components(separatedBy: "\n").dropLast().reversed()
      .prefix { $0.hasPrefix("  ///") }.reversed()
    let comment = lines.map { $0.dropFirst(6) }.joined(separator: " ")
      .replacing("``", with: "`").replacing(#/ \(.*BT-.*?\)|\.$/#, with: "")
    return comment.prefix(1).lowercased() + comment.dropFirst()
  }

  @Test("the guide of JSON lists the members of each record", arguments: records.indices)
  func members(index: Int) throws {
    let record = Self.records[index]
    let isSynced = ["Invoice", "Payment", "Contact"].contains(record.guide)
    var members = record.fields.filter {
      $0.isSingle || $0.isRequired && $0.fields.isEmpty == false
    }
    .filter { if case .list = $0.kind { false } else { true } }
    .map { ($0.name, type($0)) }
    members += record.fields.filter { if case .texts = $0.kind { true } else { false } }
      .map { ($0.name, type($0)) }
    if isSynced { members = [Self.state[0]] + members + Self.state.dropFirst() }
    if record.guide == "Invoice" { members.append(("change", "text, optional")) }
    for field in record.fields where !members.contains(where: { $0.0 == field.name }) {
      members.append((field.name, type(field)))
    }
    if record.guide == "Invoice" {
      members += [
        ("arithmetic", "array of text, optional"), ("balance", "InvoiceBalance, optional"),
      ]
    }
    if record.guide == "Contact" {
      members += [("invoiceCount", "number"), ("balances", "array of Balance")]
    }
    let comments = try Dictionary(
      uniqueKeysWithValues: record.fields.map { ($0.name, try comment($0, of: record)) })
    try checkGuide("JSONDocuments", record.guide) { lines in
      // A meaning that somebody has written stays; a new member has the property's comment.
      var meanings = comments
      for line in lines where line.hasPrefix("| `") {
        let cells = line.components(separatedBy: " | ")
        meanings[cells[0].dropFirst(3).dropLast().description] = cells.dropFirst(2)
          .joined(separator: " | ").replacing(#/ \|$/#, with: "")
      }
      return ["", "| member | type | meaning |", "|---|---|---|"]
        + members.map { "| `\($0)` | \($1) | \(meanings[$0] ?? "") |" } + [""]
    }
  }

  private func pythonType(_ field: FieldDescription) -> String {
    let orNone = field.isRequired ? "" : " | None"
    func name(_ fields: [FieldDescription]) -> String {
      Self.records.first { $0.fields.map(\.name) == fields.map(\.name) }?.python ?? "?"
    }
    switch field.kind {
    case .identifier, .text, .currency: return "str" + orNone
    case .word(let words, _):
      let known = [
        ("InvoiceType", InvoiceType.allCases.map(\.rawValue)),
        ("InvoiceStatus", InvoiceStatus.allCases.map(\.rawValue)),
        ("PaymentType", PaymentType.allCases.map(\.rawValue)),
        ("PaymentStatus", PaymentStatus.allCases.map(\.rawValue)),
        ("ContactStatus", ContactStatus.allCases.map(\.rawValue)),
      ]
      return (known.first { $0.1 == words }?.0 ?? "str") + " | str"
    case .flag: return "bool" + orNone
    case .integer: return "int" + orNone
    case .decimal, .amount: return "Decimal" + orNone
    case .day: return "date" + orNone
    case .instant: return "datetime" + orNone
    case .texts: return "tuple[str, ...]"
    case .part(let fields): return name(fields) + orNone
    case .list(let fields): return "tuple[\(name(fields)), ...]"
    }
  }

  private func head(_ name: String, _ summary: String) -> [String] {
    ["", "@dataclass(frozen=True)", "class \(name):", "    \"\"\"\(summary)\"\"\"", ""]
  }

  /// - Parameter name: the name in Python; `nil` for that of the type.
  private func words<Word: RawRepresentable<String> & CaseIterable>(
    _: Word.Type, named name: String? = nil, _ summary: String
  ) -> [String] {
    ["", "class \(name ?? "\(Word.self)")(StrEnum):", "    \"\"\"\(summary)\"\"\"", ""]
      + Word.allCases.map { word in
        let name = word.rawValue.uppercased().replacing("-", with: "_")
        return "    \(name) = \"\(word.rawValue)\""
      } + [""]
  }

  @Test("Python has a class for each document about files, with all members of the guide")
  func pythonFiles() throws {
    let guide = try JSONGuide()
    let types = ["text": "str", "flag": "bool", "number": "int", "instant": "datetime"]
    // The guide calls them texts and numbers.
    let own = [
      "kind": "DocumentKind | str", "state": "DocumentState | str", "path": "Path",
      "durationSeconds": "float",
    ]
    let notes = [
      "InvoiceFile.path": "The place of the file; do not change it there.",
      "FetchReport.ending": "The reason why the run ended early.",
    ]
    var text =
      words(DocumentKind.self, "The kind of a file.")
      + words(StoredDocument.State.self, named: "DocumentState", "The state of a file.")
    for (object, name, summary) in [
      ("File", "InvoiceFile", "A file of an invoice."),
      ("FailedFile", "FailedFile", "A file that could not be fetched."),
      ("DeniedKind", "DeniedKind", "A kind of file that the login may not read."),
      ("FetchProgress", "FetchProgress", "The progress of fetching files."),
      ("FetchReport", "FetchReport", "The report of a run that fetched files."),
      ("ExportedFiles", "ExportedFiles", "The result of an export of files."),
    ] {
      text += head(name, summary)
      for member in try #require(guide.objects[object]) {
        let words = member.type.components(separatedBy: " ")
        let single = own[member.name] ?? types[words[0]] ?? "?"
        let type = words[0] == "array" ? "tuple[\(words[2]), ...]" : single
        let property = member.name.replacing(#/[A-Z]+/#) { "_" + $0.output.lowercased() }
        let isNullable = member.type.hasSuffix(" or null")
        text.append("    \(property): \(type)" + (isNullable ? " | None" : ""))
        if let note = notes["\(name).\(member.name)"] {
          text.append("    \"\"\"\(note)\"\"\"")
        }
      }
      text.append("")
    }
    try check(
      "Modules/AppCoreC/Python/src/appcore/_files.py",
      start: "# written by RecordGuideTests", end: "\n# end of what is written\n"
    ) { _ in [""] + text }
  }

  @Test("Python has a class for each record, with all of its fields")
  func python() throws {
    let notes = [
      "Party.address": "The address; ``None`` in lists of invoices.",
      "Invoice.rawStatus": "The provider's own word for the status.",
    ]
    func lines(_ record: Shown, _ fields: [FieldDescription]) -> [String] {
      fields.flatMap { field in
        ["    \(field.snakeName): \(pythonType(field))"]
          + (notes["\(record.python).\(field.name)"].map { ["    \"\"\"\($0)\"\"\""] } ?? [])
      }
    }
    let state = [
      "    account: str", "    deleted_at: datetime | None", "    deleted_reason: str | None",
    ]
    var text =
      words(InvoiceStatus.self, "The status of an invoice, in terms common to all providers.")
      + words(InvoiceType.self, "The kind of document that an invoice is.")
      + words(PaymentType.self, "The direction of a payment.")
      + words(PaymentStatus.self, "The status of a payment, in terms common to all providers.")
      + words(ContactStatus.self, "The status of a contact, in terms common to all providers.")
    for record in Self.records {
      text += head(record.python, record.summary)
      let isListed = { (field: FieldDescription) in field.isSingle || field.isRequired }
      let others = record.fields.filter { field in
        if case .list = field.kind { true } else { !isListed(field) }
      }
      switch record.guide {
      case "Invoice":
        text += lines(
          record, record.fields.filter { field in !others.contains { $0.name == field.name } })
        text +=
          state + [
            "    change: str | None",
            "    \"\"\"How it has changed since ``changed_since``: inserted, updated or deleted.\"\"\"",
            "",
          ]
        text += head("InvoiceDetails(Invoice)", "An invoice with everything that is stored.")
        text += lines(record, others) + ["    arithmetic: tuple[str, ...]"]
        text += ["    \"\"\"Sentences about sums that do not add up.\"\"\""]
        text += ["    balance: InvoiceBalance"]
      case "Payment": text += lines(record, record.fields) + state
      case "Contact":
        text += lines(record, record.fields) + state
        text += ["    invoice_count: int", "    balances: tuple[\"Balance\", ...]"]
      default: text += lines(record, record.fields)
      }
      text.append("")
    }
    try check(
      "Modules/AppCoreC/Python/src/appcore/_records.py",
      start: "# written by RecordGuideTests", end: "\n# end of what is written\n"
    ) { _ in [""] + text }
  }
}
