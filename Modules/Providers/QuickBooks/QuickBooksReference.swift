import JSONReading
import Sync

/// A reference to another object: `{"value":"24","name":"Sonnenschein"}`.
struct QuickBooksReference {
  private(set) var value: String?
  private(set) var name: String?

  /// Reads a reference, which a record can lack.
  init?(_ reader: inout JSONReader) throws {
    guard let read = try reader.readOptional({ try Self(object: &$0) }) else { return nil }
    self = read
  }

  private init(object reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "value": value = try reader.readOptionalString()
      case "name": name = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
  }
}
