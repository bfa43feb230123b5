import Foundation

/// Faults as JSON text: one object, or an array of them.
enum FaultDocument {
  /// The error of a text that is no JSON.
  private struct NotJSON: LocalizedError {
    let errorDescription: String? =
      #"this is not valid JSON; a fault is written as {"path": "/connections", "kind": "reset"}"#
  }

  static func read(_ data: Data) throws -> [Fault] {
    guard (try? JSONSerialization.jsonObject(with: data)) != nil else { throw NotJSON() }
    let first = data.first { !" \t\r\n".utf8.contains($0) }
    guard first == UInt8(ascii: "[") else {
      return [try JSONDecoder().decode(Fault.self, from: data)]
    }
    return try JSONDecoder().decode([Fault].self, from: data)
  }

  /// Reads the faults of a file.
  ///
  /// - Throws: ``SandboxError/unreadableFile(path:line:reason:)``.
  static func read(file path: String) throws -> [Fault] {
    do {
      return try read(Data(contentsOf: URL(filePath: path)))
    } catch {
      throw SandboxError.unreadableFile(path: path, line: nil, reason: reason(error))
    }
  }

  /// Describes an error in one line, such as `fault 2: path is missing`.
  static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      place(context.codingPath) + "\(key.stringValue) is missing"
    case .valueNotFound(_, let context): place(context.codingPath) + "null is no value"
    case .typeMismatch(let type, let context):
      place(context.codingPath) + "expected \(name(of: type))"
    case .dataCorrupted(let context): place(context.codingPath) + context.debugDescription
    default: error.localizedDescription
    }
  }

  /// Names the place of an error, with a colon after it; elements of an array count from 1.
  private static func place(_ path: [any CodingKey]) -> String {
    let names = path.map { key in key.intValue.map { "fault \($0 + 1)" } ?? key.stringValue }
    return names.isEmpty ? "" : names.joined(separator: ", ") + ": "
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Int.Type: "a whole number"
    default: "an object"
    }
  }
}
