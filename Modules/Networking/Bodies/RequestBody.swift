/// The body of a request.
public struct RequestBody: Sendable {
  enum Content: Sendable {
    case bytes([UInt8])
    case file(path: String, size: Int)
    case stream(length: Int?, chunks: ResponseBody)
  }

  let content: Content

  /// Bytes in memory; they can be sent again.
  public static func bytes(_ bytes: [UInt8]) -> RequestBody {
    RequestBody(content: .bytes(bytes))
  }

  /// A file that is read in pieces while it is sent; it can be sent again.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` if it does not exist or is not a regular
  ///   file.
  public static func file(_ path: String) throws(SessionError) -> RequestBody {
    guard let size = FileChunks.size(of: path) else {
      throw .invalidRequest(reason: "cannot read the file with the request's body")
    }
    return RequestBody(content: .file(path: path, size: size))
  }

  /// A stream of pieces, read at the speed at which the server accepts them.
  ///
  /// It can be read only once, so a request with such a body is never sent again.
  ///
  /// - Parameters:
  ///   - length: the number of bytes, if it is known.
  ///   - chunks: the pieces of the body, in order.
  public static func stream(
    length: Int? = nil, _ chunks: some AsyncSequence<[UInt8], any Error> & Sendable
  ) -> RequestBody {
    RequestBody(content: .stream(length: length, chunks: ResponseBody(chunks)))
  }

  /// The bytes, if they are in memory, for stand-ins of a server.
  package var bytes: [UInt8]? {
    if case .bytes(let bytes) = content { bytes } else { nil }
  }

  /// True if the body can be sent more than once.
  public var isReplayable: Bool {
    if case .stream = content { false } else { true }
  }
}
