public import JSONReading
import Models
public import Sync

extension JSONReader {
  /// Reads a page, which is an object, to its end.
  ///
  /// - Throws: `SyncError.unreadable(part:reason:message:)` with the position in the page.
  public static func readPage(
    _ body: [UInt8], _ read: (inout JSONReader, _ key: JSONKey) throws -> Void
  ) throws {
    try readWhole(body) { try $0.readObject(read) }
  }

  /// Reads a response of any kind to its end.
  ///
  /// - Parameter part: the name of the response in errors, in front of the position.
  static func readWhole<Value>(
    _ body: [UInt8], as part: String = "", _ read: (inout JSONReader) throws -> Value
  ) throws -> Value {
    var reader = JSONReader(body)
    do {
      let value = try read(&reader)
      try reader.readEnd()
      return value
    } catch let error as JSONError {
      let place = part + error.pathDescription
      throw SyncError.unreadable(
        part: place.isEmpty ? "byte \(error.offset)" : place, reason: error.explanation)
    }
  }

  /// Reads one member of an object, and skips the others.
  mutating func readMember(
    _ name: StaticString, _ read: (inout JSONReader) throws -> Void
  ) throws {
    try readObject { reader, key in
      if name ~= key { try read(&reader) } else { try reader.skipValue() }
    }
  }

  /// Reads the text of one member of an object, both of which a record can lack.
  mutating func readOptionalText(of name: StaticString) throws -> String? {
    try readOptional { reader in
      var text: String?
      try reader.readMember(name) { text = try $0.readOptionalString() }
      return text
    }
  }

  /// Reads the rows of an array.
  ///
  /// A row that is valid JSON but not as expected becomes a failure, and reading continues after
  /// it.
  public mutating func readRows(
    identifier: String, into failures: inout [RowFailure], _ read: (inout JSONReader) throws -> Void
  ) throws {
    try readArray { reader in
      let start = reader.mark
      do {
        try read(&reader)
      } catch let error as JSONError where !error.isMalformed {
        reader.rewind(to: start)
        failures.append(
          RowFailure(
            id: reader.text(of: identifier), path: error.pathDescription,
            reason: error.explanation))
        try reader.skipValue()
      }
    }
  }

  /// Returns the text or number under a key of the next object, even if the object has other
  /// errors.
  private func text(of key: String) -> String? {
    var reader = self
    var text: String?
    try? reader.readMembers { reader, found, _ in
      guard found == key, text == nil else { return try reader.skipValue() }
      text = reader.isAtString ? try reader.readString() : try reader.readDecimal().description
    }
    return text
  }
}
