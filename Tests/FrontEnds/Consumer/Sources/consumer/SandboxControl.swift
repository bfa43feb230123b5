import Foundation
import Networking

/// The sandbox's controls, with which a test plays what happens at the provider.
struct SandboxControl {
  let server: URL
  let session: Session

  /// Changes, adds, voids, deletes or restores invoices at the provider.
  func invoices(_ change: String, count: Int) async throws {
    try await post("_sandbox/invoices/\(change)?count=\(count)", [])
  }

  /// Delays the next request to a path.
  func delay(_ path: String, by duration: Duration) async throws {
    let milliseconds = Int(duration / .milliseconds(1))
    let fault = #"{"path":"\#(path)","kind":"delay","delayMilliseconds":\#(milliseconds)}"#
    try await post("_sandbox/faults", Array(fault.utf8))
  }

  /// Forgets the delays that no request has met.
  func clearDelays() async throws {
    let url = server.appending(path: "_sandbox/faults")
    _ = try await session.send(Request(method: .delete, url: url))
  }

  private func post(_ path: String, _ body: [UInt8]) async throws {
    guard let url = URL(string: path, relativeTo: server) else { return }
    _ = try await session.send(Request(method: .post, url: url, body: body))
  }
}
