import JSONReading
import Models
import Storage
import Sync

/// A row in a response of Moneybird's synchronisation.
enum MoneybirdRow {
  /// A row of the list: only an identifier and a version.
  case version(RecordVersion)
  /// An invoice that was requested by its identifier.
  case invoice(Invoice)

  static func read(_ reader: inout JSONReader) throws -> MoneybirdRow {
    var fields = MoneybirdInvoice()
    let offset = reader.position
    try fields.read(&reader)
    guard fields.isListedOnly else { return .invoice(try fields.invoice(offset: offset)) }
    return .version(
      RecordVersion(
        id: try MoneybirdInvoice.required(fields.id, "id", offset), order: fields.version))
  }
}
