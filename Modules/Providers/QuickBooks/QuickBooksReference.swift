import JSONReading
import Sync

/// A reference to another object: `{"value":"24","name":"Sonnenschein"}`.
struct QuickBooksReference {
  private(set) var value: String?
  private(set) var name: String?

  /// Reads a reference, or `null`.
  init?(_ reader: inout JSONReader) throws {
    if try reader.readNull() { return nil }
    var (value, name): (String?, String?)
    try reader.readObject { reader, key in
      switch key {
      case "value": value = try reader.readOptionalString()
      case "name": name = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    self.value = value
    self.name = name
  }
}
