import Foundation
import Networking

/// The sandbox's controls, with which a test plays what happens at the provider.
struct SandboxControl {
  let server: URL
  let session: Session

  private struct Changed: Decodable {
    let invoiceIDs: [String]
  }

  /// Changes, adds, voids, deletes or restores invoices at the provider, and returns their ids.
  func invoices(_ change: String, count: Int) async throws -> [String] {
    let reply = try await post("_sandbox/invoices/\(change)?count=\(count)", [])
    return try JSONDecoder().decode(Changed.self, from: Data(reply)).invoiceIDs
  }

  /// Delays the next request to a path.
  func delay(_ path: String, by duration: Duration) async throws {
    let milliseconds = Int(duration / .milliseconds(1))
    let fault = #"{"path":"\#(path)","kind":"delay","delayMilliseconds":\#(milliseconds)}"#
    _ = try await post("_sandbox/faults", Array(fault.utf8))
  }

  /// Forgets the delays that no request has met.
  func clearDelays() async throws {
    let url = server.appending(path: "_sandbox/faults")
    _ = try await session.send(Request(method: .delete, url: url))
  }

  /// Lets every access token expire.
  func expireTokens() async throws {
    _ = try await post("_sandbox/tokens/expire", [])
  }

  private struct Statistics: Decodable {
    let tokenRequests: [String: Int]
  }

  /// Returns the number of renewals so far.
  func renewals() async throws -> Int {
    let reply = try await session.send(Request(url: server.appending(path: "_sandbox/stats")))
    return try reply.json(Statistics.self).tokenRequests["refresh_token"] ?? 0
  }

  private func post(_ path: String, _ body: [UInt8]) async throws -> [UInt8] {
    guard let url = URL(string: path, relativeTo: server) else { throw URLError(.badURL) }
    return try await session.send(Request(method: .post, url: url, body: body)).body
  }
}
