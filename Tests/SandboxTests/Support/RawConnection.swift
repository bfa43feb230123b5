import Foundation
import Glibc

/// A TCP connection to a port of this machine whose calls block.
struct RawConnection: ~Copyable {
  private let descriptor: CInt

  init(port: Int) throws {
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw RawConnectionError(number: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else { throw RawConnectionError(number: errno) }
  }

  deinit { close(descriptor) }

  borrowing func write(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
      throw RawConnectionError(number: errno)
    }
  }

  /// Returns the next bytes, or none at the end of the stream.
  borrowing func read() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw RawConnectionError(number: errno) }
    return Array(buffer.prefix(count))
  }
}

struct RawConnectionError: Error {
  let number: CInt
}
