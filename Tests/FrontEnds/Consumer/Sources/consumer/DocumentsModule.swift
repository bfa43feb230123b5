import AppCore
import Foundation
import Networking

/// A feature module: it reads invoices as the provider has them, over a session of its own.
struct DocumentsModule {
  let session: Session
  private let core: ApplicationCore

  init(_ core: ApplicationCore, name: String = "documents") throws {
    // Files take longer than lists. What the user's file states goes before these values.
    var values = SessionConfiguration()
    values.timeout.request = .seconds(300)
    values.concurrency = 2
    session = try core.session(for: name, account: "default", defaults: values)
    self.core = core
  }

  /// Begins to read an invoice: the response has arrived, and its body waits for a reader.
  func open(_ id: String) async throws -> StreamingResponse {
    let response = try await session.stream(try await request(id))
    try Unexpected.unless(response.head.status == .ok, "\(response.head.status)")
    return response
  }

  /// Reads the rest of an invoice, and returns its size.
  func size(of response: StreamingResponse) async throws -> Int {
    try await response.body.collect(upTo: session.configuration.maximumResponseSize).count
  }

  /// Downloads an invoice into a file; an interrupted download continues.
  func download(_ id: String, to path: String) async throws -> Download {
    try await session.download(try await request(id), to: path)
  }

  /// The login and the organisation's header field come from the core.
  private func request(_ id: String) async throws -> Request {
    var request = try await core.request(to: "api.xro/2.0/Invoices/\(id)", account: "default")
    try request.setField("accept", to: "application/json")
    return request
  }
}
