import AppCore
import Authentication
import Foundation
import Models
import Storage
import Sync

struct SignInPage: AuthenticationDelegate {
  func showAuthorizationPage(_ url: URL) async throws { print("Visit \(url)") }
}

func openInvoices() async throws -> [StoredInvoice] {
  let core = try ApplicationCore(configuration: try ConfigurationLoader().load())
  _ = try await core.signIn("default", with: .authorizationCode(delegate: SignInPage()))
  let report = try await core.sync(.invoices, account: "default").run()
  print("\(report.counts.inserted) new, \(report.counts.updated) changed")
  var query = InvoiceQuery()
  query.statuses = [.open]
  let invoices = try await core.database().invoices(matching: query)
  try await core.close()
  return invoices
}
