import JSONReading
import Models
import Storage
import Sync

/// A row of a reply of Moneybird's synchronisation.
enum MoneybirdRow {
  /// Of the list: nothing but identifier and version.
  case version(RecordVersion)
  /// Of what was asked for by identifiers.
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
