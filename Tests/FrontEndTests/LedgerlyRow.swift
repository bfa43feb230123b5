import JSONReading
import Models
import Sync

struct LedgerlyRow {
  var invoice: Invoice
  var isDeleted = false

  init(_ reader: inout JSONReader) throws {
    var id: String?
    var total: ExactDecimal?
    var currency: Currency?
    var (number, state, updatedAt): (String?, String, Timestamp?) = (nil, "", nil)
    try reader.readObject { reader, key in
      switch key {
      case "id": id = try reader.readIdentifier()
      case "number": number = try reader.readOptionalString()
      case "state": state = try reader.readString()
      case "currency": currency = Currency(code: try reader.readString())
      // The digits of the text, never converted to a Double.
      case "total": total = try reader.readDecimal()
      case "updated": updatedAt = try reader.readTimestamp()
      default: try reader.skipValue()
      }
    }
    guard let id, let total, let currency else {
      throw reader.mistake("id, total or currency is missing")
    }
    let statuses: [String: InvoiceStatus] = ["sent": .open, "settled": .paid, "cancelled": .void]
    isDeleted = state == "removed"
    invoice = Invoice(
      id: id, number: number, type: .invoice, status: statuses[state] ?? .unknown, rawStatus: state,
      currency: currency, updatedAt: updatedAt, total: total)
  }
}
