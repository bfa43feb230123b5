import Glibc

/// A connected TCP socket whose calls block up to a time limit; closed with the value.
struct LoopbackSocket: ~Copyable {
  private let descriptor: CInt

  /// Connects to the first of the addresses where somebody listens.
  init(_ address: LoopbackAddress, timeout: Duration) throws(LoopbackError) {
    var failure: CInt = ECONNREFUSED
    for candidate in address.candidates {
      switch Self.connected(host: candidate, port: address.port, timeout: timeout) {
      case .success(let descriptor):
        self.descriptor = descriptor
        return
      case .failure(let error):
        failure = error.number
      }
    }
    throw .cannotConnect(errorNumber: failure)
  }

  deinit {
    close(descriptor)
  }

  borrowing func write(_ bytes: [UInt8]) throws(LoopbackError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // A peer that is gone is an error here, not a signal to the process.
      let sent = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard sent >= 0 else {
        if errno == EINTR { continue }
        throw Self.error(errno)
      }
      rest = rest.dropFirst(sent)
    }
  }

  /// The next bytes, or none at the end of the stream.
  borrowing func read() throws(LoopbackError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if count >= 0 { return Array(buffer.prefix(count)) }
      guard errno == EINTR else { throw Self.error(errno) }
    }
  }

  private struct SystemError: Error {
    var number: CInt
  }

  private static func connected(
    host: String, port: UInt16, timeout: Duration
  ) -> Result<CInt, SystemError> {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0, let info = list?.pointee else {
      return .failure(SystemError(number: EADDRNOTAVAIL))
    }
    defer { freeaddrinfo(list) }
    let descriptor = socket(
      info.ai_family, info.ai_socktype | CInt(SOCK_CLOEXEC.rawValue), info.ai_protocol)
    guard descriptor >= 0 else { return .failure(SystemError(number: errno)) }
    limit(descriptor, to: timeout)
    guard connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
      defer { close(descriptor) }
      return .failure(SystemError(number: errno))
    }
    return .success(descriptor)
  }

  private static func limit(_ descriptor: CInt, to timeout: Duration) {
    let (seconds, attoseconds) = timeout.components
    var limit = timeval(
      tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private static func error(_ number: CInt) -> LoopbackError {
    switch number {
    case EAGAIN, EWOULDBLOCK: .timedOut
    case ECONNRESET, EPIPE: .connectionLost(wasReset: true)
    default: .connectionLost(wasReset: false)
    }
  }
}
