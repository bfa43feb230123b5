import HTTPTypes
import Hummingbird
import NIOCore

import enum Networking.FormEncoding

struct SandboxContext: RequestContext {
  /// An error for a connection that was closed on purpose, so that no response can be sent.
  struct ConnectionDropped: Error {}

  /// The C structure `linger` of socket(7), whose Swift form belongs to another module.
  private struct Linger {
    var isOn: CInt
    var seconds: CInt
  }

  var coreContext: CoreRequestContextStorage
  private let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// Waits; if the server stops meanwhile, closes the connection and abandons the request.
  @discardableResult
  func pause(for duration: Duration, in connections: OpenConnections) async throws -> PauseEnd {
    do {
      return try await connections.pause(for: duration)
    } catch {
      // It is closed here, since an error that leaves the endpoint becomes a response with status
      // 500.
      throw await drop(resetting: false)
    }
  }

  /// Closes the connection, with a TCP reset if requested, and returns the error to throw.
  func drop(resetting: Bool) async -> ConnectionDropped {
    if resetting, let options = channel as? any SocketOptionProvider {
      // Closing a socket with a linger time of zero makes the kernel send a reset.
      let option = options.unsafeSetSocketOption(
        level: .socket, name: .so_linger, value: Linger(isOn: 1, seconds: 0))
      try? await option.get()
    }
    // If the connection is already closed, there is nothing to do.
    try? await channel.close()
    return ConnectionDropped()
  }
}

extension Request {
  var path: String {
    let target = head.path ?? "/"
    return String(target.prefix { $0 != "?" })
  }

  /// The organisation that the request names, as Xero's API requires.
  var organisation: String? {
    HTTPField.Name("Xero-tenant-id").flatMap { headers[$0]?.lowercased() }
  }

  /// True if the request is for the sandbox's own controls, which no fault affects.
  var isControl: Bool { path.hasPrefix(ControlRoutes.prefix) }

  func queryParameters() throws -> FormParameters {
    guard let target = head.path, let mark = target.firstIndex(of: "?") else {
      return FormParameters()
    }
    return try FormParameters(target[target.index(after: mark)...])
  }

  /// Returns the body as text of at most 64 KiB; every valid body is far smaller.
  func bodyText() async throws -> String {
    let buffer = try await body.collect(upTo: 65_536)
    guard let text = String(validating: buffer.readableBytesView, as: UTF8.self) else {
      throw FormParameters.Malformed()
    }
    return text
  }

  /// Returns the parameters of a form body (RFC 6749 appendix B).
  func formParameters() async throws -> FormParameters {
    let type = headers[.contentType]?.split(separator: ";").first?.lowercased()
    guard type?.trimmingSuffix(while: { $0 == " " }) == "application/x-www-form-urlencoded" else {
      throw FormParameters.Malformed()
    }
    return try FormParameters(try await bodyText())
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
    return self[startIndex..<end]
  }
}

/// The names and values of a query or of an `application/x-www-form-urlencoded` body.
struct FormParameters: Sendable, Equatable {
  struct Malformed: Error {}

  private var values: [String: String] = [:]
  /// The names that occurred more than once, which RFC 6749 section 3.1 forbids.
  private(set) var repeated: Set<String> = []

  init() {}

  /// Parses `name=value&…`; throws ``Malformed`` if an escape or its UTF-8 is invalid.
  init(_ text: some StringProtocol) throws {
    guard let fields = FormEncoding.decode(text) else { throw Malformed() }
    for (name, value) in fields where values.updateValue(value, forKey: name) != nil {
      repeated.insert(name)
    }
  }

  /// Returns the value of a name; an empty one counts as absent (RFC 6749 section 3.1).
  subscript(name: String) -> String? {
    guard let value = values[name], !value.isEmpty else { return nil }
    return value
  }

  var names: Set<String> { Set(values.keys) }
}

extension Response {
  init(json bytes: [UInt8], status: HTTPResponse.Status = .ok) {
    self.init(bytes: bytes, type: "application/json; charset=utf-8", status: status)
  }

  init(html: String, status: HTTPResponse.Status = .ok) {
    self.init(bytes: Array(html.utf8), type: "text/html; charset=utf-8", status: status)
  }

  init(text: String, status: HTTPResponse.Status) {
    self.init(bytes: Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
  }

  private init(bytes: [UInt8], type: String, status: HTTPResponse.Status) {
    self.init(
      status: status, headers: [.contentType: type],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// The same response, which no cache may store (RFC 6749 section 5.1).
  var uncached: Response {
    var response = self
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
