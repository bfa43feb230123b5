import Foundation

/// Faults as JSON text: one object, or an array of them.
enum FaultDocument {
  static func read(_ data: Data) throws -> [Fault] {
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

  /// Describes an error in one line.
  static func reason(_ error: any Error) -> String {
    guard let context = (error as? DecodingError).flatMap(context) else {
      return error.localizedDescription
    }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return (path.isEmpty ? "" : path + ": ") + context.debugDescription
  }

  private static func context(of error: DecodingError) -> DecodingError.Context? {
    switch error {
    case .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}
