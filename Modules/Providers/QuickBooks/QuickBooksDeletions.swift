import JSONReading
import Models
import Storage
import Sync

/// A response to a request for changes (change data capture), from which only deletions are used.
struct QuickBooksDeletions {
  /// Largest number of objects in a response.
  static let maximum = 1_000

  private(set) var removals: [Removal] = []
  /// The failures of objects that cannot be read and whose state is therefore unknown.
  private(set) var failures: [RowFailure] = []
  /// Server time of the response.
  let time: Timestamp

  /// Reads a response.
  ///
  /// - Throws: ``CursorExpired`` if the response may be incomplete.
  init(_ body: [UInt8]) throws {
    var count = 0
    var removals: [Removal] = []
    var failures: [RowFailure] = []
    let answer = try JSONReader.readQuickBooksResponse(body, "CDCResponse") { reader in
      try reader.readEveryElement { reader in
        try reader.readObject { reader, key in
          switch key {
          case "QueryResponse":
            try reader.readEveryElement { try Self.readLists(&$0, &count, &removals, &failures) }
          case "Fault": try reader.readQuickBooksFault()
          default: try reader.skipValue()
          }
        }
      }
    }
    guard answer.isAnswer, let time = answer.time else {
      throw SyncError.unreadable(part: "CDCResponse", reason: "it or its time is missing")
    }
    guard count < Self.maximum else { throw CursorExpired() }
    self.removals = removals
    self.failures = failures
    self.time = time
  }

  private static func readLists(
    _ reader: inout JSONReader, _ count: inout Int, _ removals: inout [Removal],
    _ failures: inout [RowFailure]
  ) throws {
    try reader.readObject { reader, key in
      let kind: QuickBooksKind
      switch key {
      case "Invoice": kind = .invoice
      case "CreditMemo": kind = .creditMemo
      case "Bill": kind = .bill
      case "VendorCredit": kind = .vendorCredit
      case "Fault": return try reader.readQuickBooksFault()
      default: return try reader.skipValue()
      }
      if try reader.readNull() { return }
      var broken: [RowFailure] = []
      try reader.readRows(identifier: "Id", into: &broken) { reader in
        count += 1
        if let id = try deletedID(&reader) {
          removals.append(Removal(id: kind.identifier(id), reason: "status Deleted"))
        }
      }
      failures += broken.map {
        RowFailure(id: $0.id.map(kind.identifier), path: $0.path, reason: $0.reason)
      }
    }
  }

  private static func deletedID(_ reader: inout JSONReader) throws -> String? {
    var id: String?
    var isDeleted = false
    try reader.readObject { reader, key in
      switch key {
      case "Id": id = try reader.readString()
      case "status": isDeleted = try !reader.readNull() && reader.readString() == "Deleted"
      default: try reader.skipValue()
      }
    }
    return isDeleted ? id : nil
  }
}
