import Authentication
import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport
import Testing

@testable import AppCore

/// The descriptions in the shipped file, and what they are read as.
@Suite(.timeLimit(.minutes(10))) struct ShippedDescriptionTests {
  private func shipped() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(
      contentsOf: root.appending(path: "Config/rest-provider.yaml"), encoding: .utf8)
  }

  @Test("the shipped example is a description, and accounts can name it")
  func example() throws {
    let configuration = try CoreConfiguration(yaml: shipped())
    let account = try #require(configuration.accounts["shop"])
    #expect(account.provider == "acme" && account.clientAuthentication == .post)
    #expect(configuration.hasSignIn("acme"))
    let provider = try configuration.provider("acme")
    #expect(
      provider.profile.rateLimits == [
        RateLimit(requests: 60, interval: .seconds(60)),
        RateLimit(requests: 5_000, interval: .seconds(86_400)),
      ])
    #expect(provider.profile.scopes == ["invoices.read", "contacts.read"])
    guard case .endpoints(let server) = try provider.server(account.endpoints) else {
      Issue.record("the endpoints are given")
      return
    }
    #expect(server.tokenEndpoint.absoluteString == "https://login.acme.example/token")
  }

  @Test(
    "the small examples at the top of the shipped file are descriptions",
    arguments: ["paperclip", "ledgerline"])
  func smallExamples(name: String) throws {
    let configuration = try CoreConfiguration(yaml: shipped())
    let provider = try configuration.provider(name)
    let context = ProviderContext(
      account: "shop", baseURL: try provider.baseURL(ProviderEndpoints()), tenantID: nil)
    #expect(provider.resources(in: context) == [.invoices])
    #expect(configuration.hasSignIn(name) == (name == "ledgerline"))
  }

  @Test("an account of a description that names the organisation has to say which")
  func tenant() throws {
    let yaml = try shipped().replacing("    tenantID: \"42\"\n", with: "")
    expectMistake("tenantID is missing") { try CoreConfiguration(yaml: yaml) }
  }

  @Test("the shipped example works: every field of every page is read exactly")
  func exampleWorks() async throws {
    let server = ExampleServer()
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    let provider = try CoreConfiguration(yaml: shipped()).provider("acme")
    let session = Session(
      name: "acme", configuration: SessionConfiguration(), middleware: [server], logger: .silent)
    let context = ProviderContext(
      account: "shop", baseURL: try provider.baseURL(ProviderEndpoints()), tenantID: "42")
    #expect(provider.resources(in: context) == [.invoices, .payments, .contacts])
    func sync(_ resource: Resource) throws -> ResourceSync {
      try #require(
        provider.sync(resource, in: context, over: session, into: database, logger: .silent))
    }
    #expect(try await sync(.invoices).run().result == .complete)
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let invoices = try await database.invoices(matching: query).map(\.invoice)
    #expect(invoices.count == 2)
    let stored = try await database.invoice("a1", account: nil)
    let invoice = try #require(stored?.invoice)
    #expect(invoice.number == "INV-1" && invoice.type == .invoice && invoice.status == .open)
    #expect(invoice.contact.taxNumber == "DE1" && invoice.total.description == "119.00")
    #expect(
      invoice.contact.address
        == PostalAddress(lines: ["1 Road"], city: "Bonn", postalCode: "53111", country: "DE"))
    #expect(invoice.ownParty == nil && invoice.allowancesAndCharges.map(\.reason) == ["loyal"])
    #expect(invoice.allowancesAndCharges.first?.id == "7")
    #expect(invoice.dueDate == CalendarDate("2024-06-14") && invoice.lines.count == 1)
    #expect(invoice.lines.first?.quantity?.description == "2")
    #expect(invoice.taxBreakdown.first?.taxAmount.description == "19.00")
    #expect(invoice.payments.count == 1 && invoice.attachments.first?.fileName == "a.pdf")
    #expect(invoices.contains { $0.type == .creditNote && $0.status == .paid })
    #expect(try await sync(.contacts).run().counts.inserted == 3)
    #expect(try await sync(.payments).run().counts.inserted == 1)
    let payment = try await database.payments(matching: PaymentQuery())
      .map(\.payment).first { $0.id == "m1" }
    #expect(payment?.date == CalendarDate("2024-06-01") && payment?.status == .completed)
    #expect(payment?.allocations.first?.invoiceID == "a1" && payment?.reference == "r")
    let contact = try await database.contacts(account: "shop").first { $0.id == "c2" }
    #expect(contact?.email == "b@example.com" && contact?.status == .archived)
    #expect(server.business == ["42"])
    #expect(server.paths.contains("/v1/businesses/42/contacts"))

    let sample = try #require(
      try await provider.sample(of: .invoices, in: context, over: session))
    #expect(sample.rows == 1 && sample.count == 2 && sample.hasMore && sample.failures.isEmpty)
    let total = sample.fields.first { $0.field == "total" }
    #expect(total?.path == "amounts.total" && total?.found == "\"119.00\"")
    #expect(total?.value == "119.00" && total?.problem == nil)
    #expect(sample.fields.first { $0.field == "lines[0].quantity" }?.path == "lines[0].qty")
    await session.shutdown()
    try await database.close()
  }
}
