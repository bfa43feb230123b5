import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Providers
import Storage
import Sync
import SyncSupport

/// A page of a drifting list.
struct DriftPage {
  private(set) var records: [Invoice] = []
  private(set) var versions: [RecordVersion] = []
  private(set) var newest: Int64?
  private(set) var asOf: Int64?
  private(set) var count: Int?
  private(set) var next: String?

  init(_ response: Response) throws {
    try JSONReader.readPage(response.body) { reader, key in
      switch key {
      case "asOf": asOf = Int64(try reader.readInt())
      case "count": count = try reader.readInt()
      case "next": next = try reader.readString()
      case "versions":
        try reader.readArray { reader in
          let row = try Self.row(&reader)
          versions.append(RecordVersion(id: row.id, order: row.version))
        }
      case "pages", "more": try reader.skipValue()
      default:
        try reader.readArray { reader in
          let row = try Self.row(&reader)
          newest = max(newest ?? 0, (row.updatedAt?.microsecondsSinceEpoch ?? 0) / 1_000)
          records.append(row)
        }
      }
    }
    if let name = HTTPField.Name("Link"), let links = response.head.headerFields[name] {
      let link = links.split(separator: ",").first { $0.contains("rel=\"next\"") }
      next = link?.split(separator: ">").first?.split(separator: "<").last.map(String.init)
    }
  }

  func count(of shape: DriftShape) -> Int {
    shape.changes == .versions ? versions.count : records.count
  }

  private static func row(_ reader: inout JSONReader) throws -> Invoice {
    guard let currency = Currency(code: "EUR") else { throw CocoaError(.formatting) }
    var invoice = Invoice(
      id: "", type: .invoice, status: .open, rawStatus: "open", currency: currency, total: .zero)
    try reader.readObject { reader, key in
      switch key {
      case "id": invoice.id = try reader.readString()
      case "version": invoice.version = Int64(try reader.readInt())
      case "changed":
        invoice.updatedAt = Timestamp(millisecondsSinceEpoch: Int64(try reader.readInt()))
      case "lines":
        try reader.readArray { reader in
          invoice.lines.append(InvoiceLine(lineAmount: try reader.readDecimal()))
        }
      case "cursor": try reader.skipValue()
      case "deleted":
        if try reader.readBool() { (invoice.status, invoice.rawStatus) = (.deleted, "deleted") }
      default: invoice.total = try reader.readDecimal()
      }
    }
    return invoice
  }
}
