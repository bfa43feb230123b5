import AppCore
import Foundation
import Networking

/// A feature module: it reads one invoice as the provider has it, over a session of its own.
struct DocumentsModule {
  let session: Session
  private let server: URL
  private let organisation: String

  init(_ core: ApplicationCore, name: String = "documents", server: URL) async throws {
    session = try core.session(for: name, account: "default")
    self.server = server
    organisation = try await core.organisations(account: "default").first?.id ?? ""
  }

  /// Begins to read an invoice: the response has arrived, and its body waits for a reader.
  func open(_ id: String) async throws -> StreamingResponse {
    var request = try Request(url: server.appending(path: "api.xro/2.0/Invoices/\(id)"))
    try request.setField("xero-tenant-id", to: organisation)
    try request.setField("accept", to: "application/json")
    request.timeout = .seconds(120)
    let response = try await session.stream(request)
    try Unexpected.unless(response.head.status == .ok, "\(response.head.status)")
    return response
  }

  /// Reads the rest of an invoice, and returns its size.
  func size(of response: StreamingResponse) async throws -> Int {
    try await response.body.collect(upTo: session.configuration.maximumResponseSize).count
  }
}
