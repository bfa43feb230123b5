/// A complete answer of a loopback server.
package struct LoopbackResponse: Sendable {
  /// The status code.
  package let status: Int
  /// The header fields in the order they came; names in lower case.
  package let headers: [(name: String, value: String)]
  /// The body, with any transfer coding undone.
  package let body: [UInt8]

  /// The body as text; bytes that are not UTF-8 are replaced.
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The first value of a header, whatever the case of its name.
  package subscript(header name: String) -> String? {
    headers.first { $0.name == name.lowercased() }?.value
  }
}
