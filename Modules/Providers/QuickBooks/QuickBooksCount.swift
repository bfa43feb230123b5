import JSONReading
import Models
import Sync

/// The number of documents of each kind in a company, from several queries in one request
/// (`/batch`).
enum QuickBooksCount {
  /// The body of the request.
  static let request: [UInt8] = {
    let items = QuickBooksKind.allCases.map { kind in
      #"{"bId":"\#(kind.rawValue)","Query":"select count(*) from \#(kind.rawValue)"}"#
    }
    return Array(#"{"BatchItemRequest":[\#(items.joined(separator: ","))]}"#.utf8)
  }()

  /// Returns the sum; `nil` if a query was not answered.
  static func read(_ body: [UInt8]) throws -> Int? {
    var counts: [Int] = []
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "BatchItemResponse":
        try reader.readList { counts += [try readItem(&$0)].compactMap(\.self) }
      default: try reader.skipValue()
      }
    }
    // Reject numbers that are too large to be real counts.
    guard counts.count == QuickBooksKind.allCases.count,
      counts.allSatisfy({ (0..<1 << 40).contains($0) })
    else { return nil }
    return counts.reduce(0, +)
  }

  private static func readItem(_ reader: inout JSONReader) throws -> Int? {
    var count: Int?
    try reader.readObject { reader, key in
      switch key {
      case "QueryResponse":
        try reader.readObject { reader, key in
          switch key {
          case "totalCount": count = try reader.readInt()
          default: try reader.skipValue()
          }
        }
      default: try reader.skipValue()
      }
    }
    return count
  }
}
