import Foundation
import Glibc
import HTTPTypes
import Networking

/// A name server that gets questions and never answers.
final class SilentNameServer: Sendable {
  /// The event that ends the request.
  enum Mode: String {
    case cancel
    case connect
  }

  /// The end of a request to a name: the answer and its time.
  struct Report: Encodable {
    let answer: String
    /// From the cancellation, or from the beginning where the session's bound ended it.
    let milliseconds: Int
    /// The time that it then took to close the session.
    let shutdownMilliseconds: Int
    let questions: Int
  }

  private let descriptor: CInt

  init(address: String) throws {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(53).bigEndian
    place.sin_addr.s_addr = inet_addr(address)
    let isBound = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  func ask(_ mode: Mode) async throws -> Report {
    var configuration = SessionConfiguration()
    configuration.proxy = .none
    configuration.retry.attempts = 1
    configuration.timeout.connect = mode == .connect ? .seconds(1) : .seconds(10)
    let session = Session(name: "dns", configuration: configuration)
    guard let url = URL(string: "http://some-name.example/") else {
      throw CocoaError(.coderInvalidValue)
    }
    let request = try Request(url: url)
    var begin = ContinuousClock.now
    let asking = Task { try await session.send(request) }
    if mode == .cancel {
      try await Task.sleep(for: .milliseconds(300))
      begin = .now
      asking.cancel()
    }
    let answer: String
    do {
      answer = "\(try await asking.value.head.status.code)"
    } catch SessionError.timedOut(let phase, _) {
      answer = "timedOut(\(phase.rawValue))"
    } catch {
      answer = "\(error)"
    }
    let end = ContinuousClock.now
    await session.shutdown()
    return Report(
      answer: answer, milliseconds: Int((end - begin) / .milliseconds(1)),
      shutdownMilliseconds: Int((ContinuousClock.now - end) / .milliseconds(1)),
      questions: questions())
  }

  /// Returns the number of questions that have arrived.
  private func questions() -> Int {
    var buffer = [UInt8](repeating: 0, count: 512)
    var count = 0
    while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 { count += 1 }
    return count
  }
}
