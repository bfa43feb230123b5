import JSONReading
import Sync

/// The errors that a response from Square names.
enum SquareErrors {
  /// One error.
  struct Entry: Sendable, Equatable {
    var code = ""
    /// The part of the request that caused the error.
    var field: String?
  }

  /// Returns the errors in the body of a response; none if the body is not in Square's format.
  static func read(_ body: [UInt8]) -> [Entry] {
    var found: [Entry] = []
    try? JSONReader.readPage(body) { reader, key in
      switch key {
      case "errors": try reader.readList { found.append(try entry(&$0)) }
      default: try reader.skipValue()
      }
    }
    return found
  }

  static func entry(_ reader: inout JSONReader) throws -> Entry {
    var entry = Entry()
    try reader.readObject { reader, key in
      switch key {
      case "code": entry.code = try reader.readString()
      case "field": entry.field = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return entry
  }
}
