import Foundation
import Glibc
import Synchronization

/// A listener whose queue is full: a further attempt to connect gets no answer whatever.
///
/// No thread waits on its descriptors, so any thread can close them.
final class FullBacklog: Sendable {
  private let descriptors: Mutex<[CInt]>
  let port: Int

  init() throws {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = socket(AF_INET, kind, 0)
    // The queue holds one connection more than its argument; later ones hang like a client's.
    let fillers = (0..<4).map { _ in socket(AF_INET, kind, 0) }
    let isFull = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(listener, address, length) == 0, listen(listener, 0) == 0,
          getsockname(listener, address, &length) == 0
        else { return false }
        return fillers.allSatisfy { connect($0, address, length) == 0 || errno == EINPROGRESS }
      }
    }
    descriptors = Mutex(fillers + [listener])
    port = Int(UInt16(bigEndian: address.sin_port))
    guard isFull else {
      close()
      throw POSIXError(.EADDRNOTAVAIL)
    }
  }

  deinit { close() }

  func close() {
    descriptors.withLock { descriptors in
      for descriptor in descriptors where descriptor >= 0 { _ = Glibc.close(descriptor) }
      descriptors = []
    }
  }
}
