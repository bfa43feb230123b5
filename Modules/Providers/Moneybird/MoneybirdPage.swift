import JSONReading
import Models
import Storage
import Sync

/// A reply of Moneybird's synchronisation: a list of identifiers and versions, or the invoices that
/// were asked for by their identifiers.
struct MoneybirdPage {
  private(set) var invoices: [Invoice] = []
  private(set) var versions: [RecordVersion] = []
  private(set) var failures: [RowFailure] = []

  /// Reads a reply; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Parameter sentAt: when the server sent it, by its own clock.
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where the reply as a whole is broken.
  init(_ body: [UInt8], sentAt: Timestamp?) throws {
    var reader = JSONReader(body)
    do {
      try reader.readRows(identifier: "id", into: &failures) { reader in
        switch try MoneybirdRow.read(&reader) {
        case .version(let version): versions.append(version)
        case .invoice(var invoice):
          invoice.version = invoice.version.map { Self.settled($0, sentAt: sentAt) }
          invoices.append(invoice)
        }
      }
      try reader.readEnd()
    } catch let error as JSONError {
      throw SyncError.unreadable(
        place: error.path.isEmpty ? "byte \(error.offset)" : error.pathDescription,
        reason: error.explanation)
    }
  }

  /// How long after its second a version may still be given to a further change, in seconds: the
  /// reply may have been under way for a while when its time was noted.
  private static let settlingTime: Int64 = 10

  /// The version that has surely been read to its end.
  ///
  /// Moneybird makes the version of the second of the last change (seconds since 1970). While that
  /// second may last, another change can come under the same version, and would never be seen; so
  /// the one before is noted, and the next run asks for the invoice again.
  private static func settled(_ version: Int64, sentAt: Timestamp?) -> Int64 {
    guard let sentAt else { return version }
    let seconds = sentAt.microsecondsSinceEpoch / 1_000_000
    return version >= seconds - settlingTime ? version - 1 : version
  }
}
