import JSONReading
import Models
import Storage
import Sync

/// A response of Moneybird's synchronisation: a list of identifiers and versions, or the invoices
/// that were requested by their identifiers.
struct MoneybirdPage {
  private(set) var invoices: [Invoice] = []
  private(set) var versions: [RecordVersion] = []
  private(set) var failures: [RowFailure] = []

  /// Reads a response; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Parameter sentAt: the server time of the response.
  /// - Throws: ``SyncError/unreadable(part:reason:)`` if the response as a whole is malformed.
  init(_ body: [UInt8], sentAt: Timestamp?) throws {
    try JSONReader.readWhole(body) { reader in
      try reader.readRows(identifier: "id", into: &failures) { reader in
        switch try MoneybirdRow.read(&reader) {
        case .version(let version): versions.append(version)
        case .invoice(var invoice):
          invoice.version = invoice.version.map { Self.settled($0, sentAt: sentAt) }
          invoices.append(invoice)
        }
      }
    }
  }

  /// Seconds after the second of a version in which a further change may still get that version.
  ///
  /// The server may have read the invoice some time before the time that the response states.
  private static let settlingTime: Int64 = 10

  /// Returns the newest version that no further change can get.
  ///
  /// A version of Moneybird is the second of the last change (seconds since 1970). Until that
  /// second is over, another change can get the same version and would never be seen. In that case
  /// the preceding version is stored, and the next run fetches the invoice again.
  private static func settled(_ version: Int64, sentAt: Timestamp?) -> Int64 {
    guard let sentAt else { return version }
    let seconds = sentAt.microsecondsSinceEpoch / 1_000_000
    return version >= seconds - settlingTime ? version - 1 : version
  }
}

/// A row in a response of Moneybird's synchronisation.
private enum MoneybirdRow {
  case version(RecordVersion)
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
