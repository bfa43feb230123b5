import JSONReading
import Models
import Storage
import Sync

/// The response to a query.
struct QuickBooksPage<List: QuickBooksList> {
  private(set) var records: [List.Record] = []
  private(set) var failures: [RowFailure] = []
  private(set) var time: Timestamp?

  var count: Int { records.count + failures.count }

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the page as a whole is malformed.
  init(_ body: [UInt8], of kind: QuickBooksKind, homeCurrency: String?) throws {
    var broken: [RowFailure] = []
    let answer = try JSONReader.readQuickBooksResponse(body, "QueryResponse") { reader in
      // An empty list has no key for rows.
      try reader.readObject { reader, key in
        switch key {
        case _ where key == kind.rawValue:
          try reader.readRows(identifier: "Id", into: &broken) {
            records.append(try List.read(&$0, kind, homeCurrency: homeCurrency))
          }
        case "Fault": try reader.readQuickBooksFault()
        default: try reader.skipValue()
        }
      }
    }
    time = answer.time
    guard answer.isAnswer else {
      throw SyncError.unreadable(part: "QueryResponse", reason: "missing")
    }
    failures = broken.map { failure in
      RowFailure(
        id: failure.id.map(kind.identifier), path: failure.path, reason: failure.reason)
    }
  }
}

/// A response to a request for changes and deletions (change data capture).
struct QuickBooksChanges<List: QuickBooksList> {
  private(set) var records: [List.Record] = []
  private(set) var removals: [Removal] = []
  /// The failures of objects that cannot be read and whose state is therefore unknown.
  private(set) var failures: [RowFailure] = []
  private(set) var time = Timestamp(microsecondsSinceEpoch: 0)
  private var count = 0

  /// Reads a response.
  ///
  /// - Throws: ``CursorExpired`` if the response may be incomplete.
  init(_ body: [UInt8], homeCurrency: String?) throws {
    let answer = try JSONReader.readQuickBooksResponse(body, "CDCResponse") { reader in
      try reader.readEveryElement { reader in
        try reader.readObject { reader, key in
          switch key {
          case "QueryResponse": try reader.readEveryElement { try readLists(&$0, homeCurrency) }
          case "Fault": try reader.readQuickBooksFault()
          default: try reader.skipValue()
          }
        }
      }
    }
    guard answer.isAnswer, let time = answer.time else {
      throw SyncError.unreadable(part: "CDCResponse", reason: "it or its time is missing")
    }
    // QuickBooks returns at most 1000 objects.
    guard count < 1_000 else { throw CursorExpired() }
    self.time = time
  }

  private mutating func readLists(_ reader: inout JSONReader, _ homeCurrency: String?) throws {
    try reader.readObject { reader, key in
      guard let kind = List.kinds.first(where: { key == $0.rawValue }) else {
        return try "Fault" ~= key ? reader.readQuickBooksFault() : reader.skipValue()
      }
      if try reader.readNull() { return }
      var broken: [RowFailure] = []
      try reader.readRows(identifier: "Id", into: &broken) { reader in
        count += 1
        let start = reader.mark
        if let id = try Self.deletedID(&reader) {
          removals.append(Removal(id: kind.identifier(id), reason: "status Deleted"))
        } else {
          reader.rewind(to: start)
          records.append(try List.read(&reader, kind, homeCurrency: homeCurrency))
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

/// The settings of a company that are fetched before its lists, with `select * from Preferences`.
struct QuickBooksCompany {
  private(set) var homeCurrency: String?
  let time: Timestamp

  init(_ body: [UInt8]) throws {
    var currency: String?
    let (_, time) = try JSONReader.readQuickBooksResponse(body, "QueryResponse") { reader in
      try reader.readObject { reader, key in
        switch key {
        case "Preferences":
          try reader.readList { currency = try Self.homeCurrency(&$0) ?? currency }
        case "Fault": try reader.readQuickBooksFault()
        default: try reader.skipValue()
        }
      }
    }
    guard let time else { throw SyncError.unreadable(part: "time", reason: "missing") }
    homeCurrency = currency
    self.time = time
  }

  private static func homeCurrency(_ reader: inout JSONReader) throws -> String? {
    var currency: String?
    try reader.readMember("CurrencyPrefs") { reader in
      try reader.readMember("HomeCurrency") { reader in
        currency = try QuickBooksReference(&reader)?.value
      }
    }
    return currency
  }
}

/// The number of objects of some kinds in a company, from several queries in one request
/// (`/batch`).
enum QuickBooksCount {
  static func request(of kinds: [QuickBooksKind]) -> [UInt8] {
    let items = kinds.map { kind in
      #"{"bId":"\#(kind.rawValue)","Query":"\#(kind.query("count(*)"))"}"#
    }
    return Array(#"{"BatchItemRequest":[\#(items.joined(separator: ","))]}"#.utf8)
  }

  /// Returns the number of all of them; `nil` if not each of the kinds has one.
  static func read(_ body: [UInt8], of kinds: Int) throws -> Int? {
    var counts: [Int] = []
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "BatchItemResponse":
        try reader.readList { counts += [try readItem(&$0)].compactMap(\.self) }
      default: try reader.skipValue()
      }
    }
    // Reject numbers that are too large to be real counts.
    guard counts.count == kinds,
      counts.allSatisfy({ (0..<1 << 40).contains($0) })
    else { return nil }
    return counts.reduce(0, +)
  }

  private static func readItem(_ reader: inout JSONReader) throws -> Int? {
    var count: Int?
    try reader.readMember("QueryResponse") { reader in
      try reader.readMember("totalCount") { reader in
        count = try reader.readInt()
      }
    }
    return count
  }
}
