import Foundation
import Glibc
import Synchronization

/// The socket and the threads of a ``ScriptedServer``.
///
/// Every descriptor is closed by the one thread that uses it: a descriptor closed under a thread
/// that is about to `accept` would soon be another server's, and its connections be stolen.
final class ScriptedListener: Sendable {
  private struct State {
    var steps: [ScriptedServer.Step]
    var requests: [String] = []
    var connections: Set<CInt> = []
    var isStopped = false
  }

  private let listener: CInt
  let port: Int
  private let state: Mutex<State>

  init(_ steps: [ScriptedServer.Step]) throws {
    state = Mutex(State(steps: steps))
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in acceptAll() }
  }

  var requests: [String] { state.withLock { $0.requests } }

  func answerNext(_ step: ScriptedServer.Step) {
    state.withLock { $0.steps.insert(step, at: 0) }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  func stop() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      let isWanted = state.withLock { state in
        if !state.isStopped { state.connections.insert(connection) }
        return !state.isStopped
      }
      guard isWanted else {
        close(connection)
        break
      }
      Thread.detachNewThread { [self] in
        serve(connection)
        state.withLock { _ = $0.connections.remove(connection) }
        close(connection)
      }
    }
    // `stop` may be about to shut the listener down: it is ours until it has.
    state.withLock {
      $0.isStopped = true
      close(listener)
    }
  }

  private func serve(_ connection: CInt) {
    var text = ""
    while !Self.isWhole(text) {
      guard let more = receive(from: connection) else { break }
      text += more
    }
    // A connection that was made in vain, as by a client that gave up before it stood, is no
    // request.
    guard !text.isEmpty else { return }
    let step = state.withLock { state in
      state.requests.append(text)
      return state.steps.count > 1 ? state.steps.removeFirst() : state.steps[0]
    }
    switch step {
    case .reply(let bytes):
      send(bytes, to: connection)
      shutdown(connection, Int32(SHUT_WR))
    case .replyAfter(let gate, let bytes):
      while !gate.isOpen, !isStopped { usleep(2_000) }
      send(bytes, to: connection)
      shutdown(connection, Int32(SHUT_WR))
    case .replyAndHang(let bytes):
      send(bytes, to: connection)
      while receive(from: connection) != nil {}
    case .reset:
      var option = Glibc.linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<Glibc.linger>.size))
    }
  }

  /// Returns true if head and body are complete.
  private static func isWhole(_ text: String) -> Bool {
    guard let end = text.range(of: "\r\n\r\n") else { return false }
    let length = text.firstMatch(of: #/(?i)content-length: *(\d+)/#).flatMap { Int($0.output.1) }
    return text[end.upperBound...].utf8.count >= length ?? 0
  }

  private func receive(from connection: CInt) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(connection, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  private func send(_ text: String, to connection: CInt) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
