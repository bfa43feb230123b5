import JSONReading
import Models
package import Storage
import Sync

/// A response of Moneybird's synchronisation: a list of identifiers and versions, or the records
/// that were requested by their identifiers.
struct MoneybirdPage<List: MoneybirdList> {
  private(set) var records: [List.Record] = []
  private(set) var versions: [RecordVersion] = []
  private(set) var failures: [RowFailure] = []

  /// Reads a response; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Parameter sentAt: the server time of the response.
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the response as a whole is
  ///   malformed.
  init(_ body: [UInt8], sentAt: Timestamp?) throws {
    try JSONReader.readWhole(body) { reader in
      try reader.readRows(identifier: "id", into: &failures) { reader in
        switch try List.read(&reader) {
        case .version(let version): versions.append(version)
        case .record(var record):
          record.version = record.version.map { Self.settled($0, sentAt: sentAt) }
          records.append(record)
        }
      }
    }
    failures = failures.map { failure in
      RowFailure(
        id: failure.id.map { List.prefix + $0 }, path: failure.path, reason: failure.reason)
    }
  }

  /// Seconds after the second of a version in which a further change may still get that version.
  ///
  /// The server may have read the record some time before the time that the response states.
  private static var settlingTime: Int64 { 10 }

  /// Returns the newest version that no further change can get.
  ///
  /// A version of Moneybird is the second of the last change (seconds since 1970). Until that
  /// second is over, another change can get the same version and would never be seen. In that case
  /// the preceding version is stored, and the next run fetches the record again.
  private static func settled(_ version: Int64, sentAt: Timestamp?) -> Int64 {
    guard let sentAt else { return version }
    let seconds = sentAt.microsecondsSinceEpoch / 1_000_000
    return version >= seconds - settlingTime ? version - 1 : version
  }
}

/// A row in a response of Moneybird's synchronisation.
package enum MoneybirdRow<Record> {
  case version(RecordVersion)
  case record(Record)
}

/// The members that a row of any of Moneybird's lists has.
struct MoneybirdHead {
  private(set) var id: String?
  private(set) var version: Int64?
  /// True if the row has no other members, as in the list of versions.
  private(set) var isAlone = true
  private let offset: Int

  /// Reads a row.
  ///
  /// - Parameter read: reads any other member.
  init(
    _ reader: inout JSONReader, _ read: (inout JSONReader, _ key: JSONKey) throws -> Void
  ) throws {
    offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "id": id = try reader.readOptionalIdentifier()
      // By the schema, the version may be a text.
      case "version": version = try reader.readOptionalInt().map(Int64.init)
      default:
        isAlone = false
        try read(&reader, key)
      }
    }
  }

  /// Returns the row of a list of versions, or that of a record, made from its identifier.
  ///
  /// - Parameter prefix: the beginning of the identifiers that are stored.
  /// - Throws: `JSONError` if the identifier is missing.
  func row<Record: ChangedRecord>(
    _ prefix: String = "", _ record: (_ id: String, _ offset: Int) throws -> Record
  ) throws -> MoneybirdRow<Record> {
    guard let id = id.map({ prefix + $0 }) else {
      throw JSONError(reason: .unexpected("missing or unknown"), offset: offset, path: ["id"])
    }
    guard !isAlone else { return .version(RecordVersion(id: id, order: version)) }
    var record = try record(id, offset)
    record.version = version
    return .record(record)
  }
}
