import Foundation

/// A request as it came over the wire.
package struct ScriptedRequest: Sendable {
  package let method: String
  /// The request target: path and query, to the byte.
  package let target: String
  /// The header fields in their order, names as they were written.
  package let fields: [(name: String, value: String)]
  package internal(set) var body: [UInt8] = []
  /// Which connection it came over, counted from 0.
  package let connection: Int

  /// The values of a field, joined by a comma; `nil` where it is absent.
  package subscript(name: String) -> String? {
    let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

/// Why a scripted server could not make a request out of what it got.
package enum ScriptedRequestError: Error {
  /// The client closed the connection.
  case endOfConnection
  /// The bytes are no HTTP/1.1 request that this server understands.
  case malformed(String)
}

extension ScriptedRequest {
  /// The first line and the fields of a request, without the empty line behind them.
  init(head: String, connection: Int) throws {
    var lines = head.components(separatedBy: "\r\n")[...]
    let parts = (lines.popFirst() ?? "").split(separator: " ")
    guard parts.count == 3, parts[2] == "HTTP/1.1" else {
      throw ScriptedRequestError.malformed("request line")
    }
    fields = try lines.map { line in
      guard let colon = line.firstIndex(of: ":") else {
        throw ScriptedRequestError.malformed("header field")
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (String(line[..<colon]), String(value))
    }
    method = String(parts[0])
    target = String(parts[1])
    self.connection = connection
    guard self["transfer-encoding"] == nil else {
      throw ScriptedRequestError.malformed("a body in chunks")
    }
  }

  /// How many bytes follow the head.
  var contentLength: Int { self["content-length"].flatMap { Int($0) } ?? 0 }
}
