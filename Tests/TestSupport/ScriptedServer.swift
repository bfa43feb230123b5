import Foundation
import Glibc
import Synchronization

/// A raw server on the loopback interface that answers with whatever bytes it is told, for what
/// well-behaved servers cannot do.
package final class ScriptedServer: Sendable {
  /// What is done with one connection after its request was read.
  package enum Step: Sendable {
    /// Sends bytes and closes.
    case reply(String)
    /// Sends bytes and then nothing more until the server is stopped.
    case replyAndHang(String)
    /// Closes with a reset.
    case reset
  }

  private struct State {
    var steps: [Step]
    var requests: [String] = []
    var open: [CInt] = []
  }

  private let listener: CInt
  package let port: Int
  private let state: Mutex<State>

  /// The last step answers all further connections.
  package init(_ steps: [Step]) throws {
    state = Mutex(State(steps: steps))
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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
    Thread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, let self else { return }
        self.serve(connection)
      }
    }.start()
  }

  package var url: String { "http://127.0.0.1:\(port)" }
  package var requests: [String] { state.withLock { $0.requests } }

  package func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    for connection in state.withLock({ $0.open }) { close(connection) }
  }

  private func serve(_ connection: CInt) {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !text.contains("\r\n\r\n") {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    let step = state.withLock { state in
      state.requests.append(text)
      return state.steps.count > 1 ? state.steps.removeFirst() : state.steps[0]
    }
    switch step {
    case .reply(let bytes):
      send(bytes, to: connection)
      shutdown(connection, Int32(SHUT_WR))
      close(connection)
    case .replyAndHang(let bytes):
      send(bytes, to: connection)
      state.withLock { $0.open.append(connection) }
    case .reset:
      var option = Glibc.linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<Glibc.linger>.size))
      close(connection)
    }
  }

  private func send(_ text: String, to connection: CInt) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
