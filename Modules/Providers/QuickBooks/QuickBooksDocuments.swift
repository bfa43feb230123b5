import Documents
import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// The files of a company's invoices, credit memos, bills and vendor credits in QuickBooks Online.
///
/// QuickBooks renders sales only:
/// https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/invoice#get-an-invoice-as-pdf
///
/// One list holds the attachments of the whole company. The links in it live for 15 minutes, so a
/// new one is requested for each file:
/// https://developer.intuit.com/app/developer/qbo/docs/workflows/attach-images-and-notes
struct QuickBooksDocuments: DocumentSource {
  let baseURL: URL
  let realmID: String?
  /// The rows of a page; QuickBooks allows up to 1000.
  var pageSize = 1_000

  let kinds: Set<DocumentKind> = [.pdf, .attachment]

  init(baseURL: URL, realmID: String?) {
    (self.baseURL, self.realmID) = (baseURL, realmID)
  }

  func renders(
    _ kind: DocumentKind, of id: String, as type: InvoiceType, with status: InvoiceStatus
  ) -> Bool {
    kind == .pdf && [.invoice, .creditNote].contains(type) && status != .deleted
  }

  func place(of kind: DocumentKind, of invoice: Invoice) throws -> DocumentPlace {
    let kind = invoice.type == .creditNote ? QuickBooksKind.creditMemo : .invoice
    let id = String(invoice.id.trimmingPrefix(kind.identifier("")))
    return .file(
      try request([kind.rawValue.lowercased(), id, "pdf"], accept: "application/pdf"))
  }

  func attachments(of invoice: Invoice) throws -> AttachmentList {
    _ = try DocumentAddress.organisation(realmID)
    return .inWholeList
  }

  func place(of attachment: Attachment, of invoice: Invoice) throws -> DocumentPlace {
    .link(
      try request(["download", attachment.id], accept: "text/plain"),
      read: { [baseURL] in try Self.link(in: $0, from: baseURL) })
  }

  var wholeAttachmentList: WholeAttachmentList? {
    guard let first = try? page(at: 1) else { return nil }
    return WholeAttachmentList(first: first) { response, request in
      let position = Self.position(of: request)
      let list = try QuickBooksAttachables(response.body)
      let next = list.count < pageSize ? nil : try page(at: position + list.count)
      return WholeAttachmentList.Page(attachments: list.attachments, next: next)
    }
  }

  private func page(at position: Int) throws -> Request {
    // In the order of the identifiers, which no change moves.
    let query = "select * from Attachable orderby Id startposition \(position)"
    return try request(
      ["query"], ["query": query + " maxresults \(pageSize)"], accept: "application/json")
  }

  private static func position(of request: Request) -> Int {
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems
    let query = items?.first { $0.name == "query" }?.value ?? ""
    let words = query.split(separator: " ").drop { $0 != "startposition" }
    return words.dropFirst().first.flatMap { Int($0) } ?? 1
  }

  /// Returns the link in a response of plain text, which may be quoted.
  static func link(in response: Response, from baseURL: URL) throws -> URL {
    if let fault = QuickBooksFault(response) { throw fault.meaning }
    var text = String(decoding: response.body, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    if text.hasPrefix("\"") {
      text = try JSONReader.readWhole(response.body, as: "download") { try $0.readString() }
    }
    return try DocumentAddress.link(text, in: "download", from: baseURL)
  }

  private func request(
    _ parts: [String], _ items: KeyValuePairs<String, String> = [:], accept: String
  ) throws(SessionError) -> Request {
    let realm = try DocumentAddress.organisation(realmID)
    let url = try DocumentAddress.of(["v3", "company", realm] + parts, below: baseURL)
    let query = items.map { URLQueryItem(name: $0.key, value: $0.value) }
    return try Request(
      url: url.appending(queryItems: query + [QuickBooksProvider.version]),
      fields: [.accept: accept])
  }
}

/// A page of the list of attachments.
private struct QuickBooksAttachables {
  private(set) var attachments: [(invoice: String, attachment: Attachment)] = []
  /// The number of rows, among which are notes without a file.
  private(set) var count = 0

  init(_ body: [UInt8]) throws {
    let (isAnswer, _) = try JSONReader.readQuickBooksResponse(body, "QueryResponse") { reader in
      try reader.readObject { reader, key in
        switch key {
        case "Attachable": try reader.readEveryElement { try readRow(&$0) }
        case "Fault": try reader.readQuickBooksFault()
        default: try reader.skipValue()
        }
      }
    }
    guard isAnswer else { throw SyncError.unreadable(part: "QueryResponse", reason: "missing") }
  }

  private mutating func readRow(_ reader: inout JSONReader) throws {
    count += 1
    var attachment = Attachment(id: "")
    var invoices: Set<String> = []
    var hasFile = false
    try reader.readObject { reader, key in
      switch key {
      case "Id": attachment.id = try reader.readOptionalIdentifier() ?? ""
      case "FileName": attachment.name = try reader.readOptionalString()
      case "ContentType": attachment.mediaType = try reader.readOptionalString()
      case "Size": attachment.size = try reader.readOptionalInt()?.size
      case "TempDownloadUri", "FileAccessUri":
        hasFile = try reader.readOptionalString() != nil || hasFile
      case "AttachableRef":
        try reader.readList { reader in
          try reader.readMember("EntityRef") { reader in
            if let id = try Self.invoice(&reader) { invoices.insert(id) }
          }
        }
      default: try reader.skipValue()
      }
    }
    guard !invoices.isEmpty, hasFile || attachment.name != nil else { return }
    guard !attachment.id.isEmpty else { throw reader.mistake("an attachment without an id") }
    attachments += invoices.sorted().map { ($0, attachment) }
  }

  /// Reads a reference, and returns the invoice's identifier within the account; `nil` for other
  /// objects.
  private static func invoice(_ reader: inout JSONReader) throws -> String? {
    var (id, type): (String?, String?)
    try reader.readObject { reader, key in
      switch key {
      case "value": id = try reader.readOptionalIdentifier()
      case "type": type = try reader.readOptionalString()?.lowercased()
      default: try reader.skipValue()
      }
    }
    let kind = QuickBooksInvoices.kinds.first { $0.rawValue.lowercased() == type }
    return id.flatMap { kind?.identifier($0) }
  }
}
