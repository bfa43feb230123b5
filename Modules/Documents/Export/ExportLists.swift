import Foundation
import Models
import Storage
import SystemSupport

/// An invoice that is exported, without what an export does not need.
struct ExportedInvoice: Sendable {
  let account: String
  let id: String
  let number: String?
  let day: CalendarDate?
  /// The stored files.
  var files: [ExportedFile]
  fileprivate let type: String
  fileprivate let contact: String
  fileprivate let currency: String
  /// The amounts without tax, of tax and with tax, as sums of invoices count them.
  fileprivate let amounts: [String]

  init(_ documented: DocumentedInvoice, _ pattern: DocumentNamePattern) {
    let (stored, invoice) = (documented.stored, documented.stored.invoice)
    (account, id, number, day) = (stored.account, invoice.id, invoice.number, invoice.issueDate)
    (type, currency) = (invoice.type.rawValue, invoice.currency.code)
    contact = invoice.contact.name ?? ""
    let summed = SummedAmounts(
      total: invoice.total, net: invoice.subtotal, tax: invoice.totalTax)
    amounts = [summed.net, summed.tax, invoice.total].map { $0?.description ?? "" }
    files = documented.documents.compactMap { document in
      document.sha256.map {
        ExportedFile(
          name: pattern.name(of: document, of: stored), sha256: $0, size: document.size)
      }
    }
  }

  /// Orders invoices by their day, those without a day last.
  func isBefore(_ other: ExportedInvoice) -> Bool {
    let days = [day, other.day].map { $0?.daysSinceEpoch ?? .max }
    return (days[0], account, number ?? "", id) < (
      days[1], other.account, other.number ?? "", other.id
    )
  }

  /// Chooses the paths of the files.
  mutating func choosePaths(_ names: inout DocumentNames) {
    for index in files.indices { files[index].path = names.choose(files[index].name) }
  }
}

/// A file that is exported.
struct ExportedFile: Sendable {
  let name: DocumentName
  let sha256: String
  let size: Int?
  /// The path relative to the folder or in the archive.
  var path = ""
  /// True if the file is at its path.
  var isWritten = false
}

/// The lists beside exported files, as bytes.
struct ExportLists {
  static let names = ["index.csv", "SHA256SUMS"]

  /// The name and content of each list.
  let files: [(name: String, bytes: [UInt8])]

  init(_ invoices: [ExportedInvoice], _ dialect: CSVDialect) {
    let index = Array(Self.index(of: invoices, dialect).utf8)
    let written = invoices.flatMap(\.files).filter(\.isWritten).map { ($0.path, $0.sha256) }
    let sums = (written + [(Self.names[0], SHA256.hash(index).hexadecimal)])
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      .map { Self.sum($0.1, of: $0.0) }.joined()
    files = Array(zip(Self.names, [index, Array(sums.utf8)]))
  }

  /// Returns the text of a list that an earlier export may have written.
  static func text(at path: String) throws -> String {
    let file = try OpenFile.reading(path)
    var bytes: [UInt8] = []
    while let piece = try file.piece() { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the table of invoices and files: a row for each file, and one without a file for an
  /// invoice that has none.
  ///
  /// Only the first row of an invoice has its amounts, so that a column adds up to the sum of the
  /// invoices.
  private static func index(of invoices: [ExportedInvoice], _ dialect: CSVDialect) -> String {
    let columns = [
      "account", "number", "type", "date", "contact", "net", "tax", "total", "currency", "file",
      "sha256",
    ]
    let isNumber = columns.map { ["net", "tax", "total"].contains($0) }
    var text = dialect.beginning + dialect.row(columns, isNumber: columns.map { _ in false })
    for invoice in invoices {
      let written = invoice.files.filter(\.isWritten).map { [$0.path, $0.sha256] }
      for (index, file) in (written.isEmpty ? [["", ""]] : written).enumerated() {
        let values =
          [
            invoice.account, invoice.number ?? "", invoice.type, invoice.day?.description ?? "",
            invoice.contact,
          ] + (index == 0 ? invoice.amounts : ["", "", ""]) + [invoice.currency] + file
        text += dialect.row(values, isNumber: isNumber)
      }
    }
    return text
  }

  /// Returns a line of `SHA256SUMS`, with a name escaped as the program sha256sum does.
  static func sum(_ sha256: String, of name: String) -> String {
    let escaped = name.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
      .replacing("\r", with: "\\r")
    return "\(escaped == name ? "" : "\\")\(sha256)  \(escaped)\n"
  }
}
