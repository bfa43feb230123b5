public import JSONReading
import Models
public import Sync

extension JSONReader {
  /// Reads a page, which is an object, to its end.
  ///
  /// - Throws: `SyncError.unreadable(part:reason:)` with the position in the page.
  public static func readPage(
    _ body: [UInt8], _ read: (inout JSONReader, _ key: JSONKey) throws -> Void
  ) throws {
    var reader = JSONReader(body)
    do {
      try reader.readObject(read)
      try reader.readEnd()
    } catch let error as JSONError {
      throw SyncError.unreadable(
        part: error.path.isEmpty ? "byte \(error.offset)" : error.pathDescription,
        reason: error.explanation)
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
