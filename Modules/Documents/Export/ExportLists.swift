import Foundation
import Glibc
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
        // Of a file that is to be fetched anew, the size is what the provider states.
        ExportedFile(
          name: pattern.name(of: document, of: stored), sha256: $0,
          size: document.state == .stored ? document.size : nil)
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

  /// A line of `SHA256SUMS`.
  struct Sum {
    let sha256: String
    let name: String

    fileprivate var isOfIndex: Bool { name == ExportLists.names[0] }
    fileprivate var line: String { ExportLists.sum(sha256, of: name) }
  }

  /// The name and content of each list.
  let files: [(name: String, bytes: [UInt8])]
  private let indexSum: Sum

  init(_ invoices: [ExportedInvoice], _ dialect: CSVDialect) {
    let index = Array(Self.index(of: invoices, dialect).utf8)
    let written = invoices.flatMap(\.files).filter(\.isWritten).map {
      Sum(sha256: $0.sha256, name: $0.path)
    }
    indexSum = Sum(sha256: SHA256.hash(index).hexadecimal, name: Self.names[0])
    files = Array(zip(Self.names, [index, Self.text(of: written + [indexSum])]))
  }

  private static func text(of sums: [Sum]) -> [UInt8] {
    let sorted = sums.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return Array(sorted.map(\.line).joined().utf8)
  }

  // MARK: The lists of an earlier export

  /// Returns the earlier sums with a line for the new index; `nil` if the index stays.
  ///
  /// They stand there while the new index replaces the earlier one. With their two lines for it, a
  /// later export knows the lists for those of an export that was killed.
  func interimSums(after earlier: [Sum]) -> [UInt8]? {
    let isKnown = earlier.contains { $0.isOfIndex && $0.sha256 == indexSum.sha256 }
    return isKnown ? nil : Self.text(of: earlier + [indexSum])
  }

  /// Returns the sums of an earlier export, with the line for the index that is there; `nil` if the
  /// two files are not as an export, or one that was killed, left them.
  static func earlierSums(index: String, sums: String) -> [Sum]? {
    guard let bytes = try? content(of: sums), let found = Self.sums(in: bytes) else { return nil }
    let files = found.filter { !$0.isOfIndex }
    let ofIndex = found.filter(\.isOfIndex)
    var status = stat()
    guard lstat(index, &status) == 0 else {
      // The first export was killed before it wrote the index.
      return files.isEmpty && ofIndex.count == 1 ? [] : nil
    }
    guard let index = try? content(of: index) else { return nil }
    let hash = SHA256.hash(index).hexadecimal
    guard let own = ofIndex.first(where: { $0.sha256 == hash }) else { return nil }
    let wasKilled = ofIndex.count == 2 || files.isEmpty
    return wasKilled || Self.index(index, lists: files) ? files + [own] : nil
  }

  private static func content(of path: String) throws -> [UInt8] {
    let file = try OpenFile.reading(path)
    var bytes: [UInt8] = []
    while let piece = try file.piece() { bytes += piece }
    return bytes
  }

  /// Returns the lines of `SHA256SUMS`; `nil` if an export writes no such lines.
  private static func sums(in bytes: [UInt8]) -> [Sum]? {
    var sums: [Sum] = []
    let lines = bytes.dropLast().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines {
      // No name of an export has a character that is escaped.
      let (hash, name) = (line.prefix(64), line.dropFirst(66))
      guard isHash(hash), !name.isEmpty else { return nil }
      let texts = [hash, name].map { String(decoding: $0, as: UTF8.self) }
      sums.append(Sum(sha256: texts[0], name: texts[1]))
    }
    return text(of: sums) == bytes && sums.count(where: \.isOfIndex) < 3 ? sums : nil
  }

  private static func isHash(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.count == 64 && bytes.allSatisfy("0123456789abcdef".utf8.contains)
  }

  /// Returns whether the rows of an index name these files and no other.
  private static func index(_ bytes: [UInt8], lists files: [Sum]) -> Bool {
    let rows = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    let byHash = Dictionary(
      grouping: rows.filter { isHash($0.utf8.suffix(64)) }, by: { Array($0.utf8.suffix(64)) })
    guard byHash.values.reduce(0, { $0 + $1.count }) == files.count else { return false }
    let dialects: [CSVDialect] = [
      .standard, .spreadsheet(hasDecimalComma: false), .spreadsheet(hasDecimalComma: true),
    ]
    return dialects.contains { dialect in
      files.allSatisfy { file in
        let values = ["", file.name, file.sha256]
        let end = dialect.row(values, isNumber: values.map { _ in false }).utf8.dropLast(2)
        return byHash[Array(file.sha256.utf8)]?.contains {
          $0.utf8.suffix(end.count).elementsEqual(end)
        } == true
      }
    }
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
