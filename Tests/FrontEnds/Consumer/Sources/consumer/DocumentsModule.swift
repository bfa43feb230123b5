import AppCore
import Foundation
import Networking

/// A feature module: it fetches one invoice as the provider has it, over a session of its own.
struct DocumentsModule {
  let session: Session
  private let server: URL
  private let organisation: String

  init(_ core: ApplicationCore, name: String = "documents", server: URL) async throws {
    session = try core.session(for: name, account: "default")
    self.server = server
    organisation = try await core.organisations(account: "default").first?.id ?? ""
  }

  func document(_ id: String) async throws -> Int {
    var request = try Request(url: server.appending(path: "api.xro/2.0/Invoices/\(id)"))
    try request.setField("xero-tenant-id", to: organisation)
    try request.setField("accept", to: "application/json")
    request.timeout = .seconds(120)
    let response = try await session.send(request)
    let text = String(decoding: response.body, as: UTF8.self)
    try Unexpected.unless(response.head.status == .ok, "\(response.head.status): \(text)")
    return response.body.count
  }
}
