import Foundation
import Models
import SystemSupport
import TestSupport
import Testing

@testable import Storage

/// Invoices with files, and a folder of their objects.
struct SampleDocuments {
  let folder: TemporaryDirectory

  var objects: String { folder.file("objects") }

  init() throws { folder = try TemporaryDirectory() }

  static func invoice(
    _ number: String? = "INV-1", id: String = "11111111-aaaa-bbbb-cccc-0123456789ab",
    contact: String? = "Acme Ltd.", date: String? = "2024-01-15", type: InvoiceType = .invoice,
    total: String = "119.00", tax: String? = "19.00", currency: String = "EUR",
    account: String = "shop"
  ) throws -> StoredInvoice {
    let invoice = Invoice(
      id: id, number: number, type: type, status: .open, rawStatus: "OPEN",
      contact: Party(name: contact), currency: try #require(Currency(code: currency)),
      issueDate: date.flatMap { CalendarDate($0) }, totalTax: tax.flatMap { ExactDecimal($0) },
      total: try #require(ExactDecimal(total)))
    return StoredInvoice(
      account: account, invoice: invoice, deletedAt: nil, deletedReason: nil,
      syncedAt: Timestamp(microsecondsSinceEpoch: 0))
  }

  static func document(
    _ kind: DocumentKind = .pdf, id: String = "", name: String? = nil, mediaType: String? = nil
  ) -> StoredDocument {
    var document = StoredDocument(account: "shop", invoiceID: "", kind: kind, id: id)
    (document.name, document.mediaType) = (name, mediaType)
    return document
  }

  /// Stores a content as an object, and returns its path.
  func object(_ content: String) throws -> String {
    let hash = SHA256.hash(Data(content.utf8)).hexadecimal
    let parent = "\(objects)/\(hash.prefix(2))"
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Data(content.utf8).write(to: URL(filePath: "\(parent)/\(hash)"))
    return "\(parent)/\(hash)"
  }

  /// Returns a document whose content is stored.
  func stored(_ content: String, _ document: StoredDocument = document()) throws -> StoredDocument {
    var document = document
    document.sha256 = URL(filePath: try object(content)).lastPathComponent
    document.size = content.utf8.count
    document.state = .stored
    return document
  }

  static func documented(
    _ invoice: StoredInvoice, _ documents: [StoredDocument]
  ) -> DocumentedInvoice {
    DocumentedInvoice(
      key: InvoiceKey(row: 0), stored: invoice, documents: documents, fingerprint: 0,
      listedFingerprint: nil)
  }

  /// Returns the paths of all files in a folder, relative to it, also of hidden ones.
  static func files(in folder: String) -> Set<String> {
    let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return Set(
      all.filter {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)")
        return attributes?[.type] as? FileAttributeType != .typeDirectory
      })
  }

  static func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Texts that people and providers have put into names, or could.
  static let hostileNames = [
    "../../../etc/passwd", "..", ".", "...", "/etc/passwd", "//server/share", "C:\\Windows\\x",
    "C:x", "\\\\server\\share", "..\\..\\x", "a/../b", "a/./b", "./a", "~/.ssh/id_rsa", "~root",
    "-rf", "--help", ".bashrc", ".git/config", "CON", "con", "NUL", "nul.txt", "AUX.tar.gz", "COM1",
    "LPT9.pdf", "COM¹", "PRN .x", "CONIN$", "aux ", "trailing.", "trailing ", "trailing. . .", "",
    " ", "\t", "\u{0}", "a\u{0}b", "line\nbreak", "carriage\rreturn", "\u{1B}[31mred",
    "\u{202E}fdp.exe", "\u{2066}isolate\u{2069}", "zero\u{200B}width", "\u{FEFF}mark",
    "soft\u{AD}hyphen", "\u{2028}separator", "a\u{301}\u{302}\u{303}", "\u{301}mark first",
    "e\u{301}", "é", "É", "Straße", "STRASSE", "👨‍👩‍👧‍👦", "❤️", String(repeating: "x", count: 300),
    String(repeating: "é", count: 300), String(repeating: "👨‍👩‍👧‍👦", count: 40),
    "e" + String(repeating: "\u{301}", count: 400), "a*b?c\"d<e>f|g:h", "a|b", "%2e%2e%2f", "$(id)",
    "`id`", "'; rm -rf ~", "index.csv", "SHA256SUMS", "ＣＯＮ", "\u{E000}private", "\u{FFFD}",
  ]
}
