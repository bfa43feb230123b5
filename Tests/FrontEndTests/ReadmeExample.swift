import AppCore
import Authentication
import Foundation
import Models
import Storage
import Sync

struct LinkPrinter: AuthenticationDelegate {
  func showAuthorizationPage(_ url: URL) async throws { print("Open \(url)") }
}

func syncAndCount(_ configuration: CoreConfiguration) async throws -> Int {
  let core = try ApplicationCore(configuration: configuration)
  _ = try await core.signIn("default", with: .authorizationCode(delegate: LinkPrinter()))
  _ = try await core.sync(.invoices, account: "default").run()
  let invoices = try await core.database().invoices(matching: InvoiceQuery())
  try await core.close()  // lets a running renewal finish and store its tokens
  return invoices.count
}
