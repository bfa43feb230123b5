import Foundation
import Models
import Networking
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

@testable import Providers

/// Customers of Stripe.
@Suite(.timeLimit(.minutes(10))) struct StripeCustomerTests {
  /// Answers as Stripe does for a key with some permissions.
  private final class KeyedServer: Sendable {
    let permissions: Mutex<Set<String>>
    let customers = Mutex(["cus_1": "One", "cus_2": "Two"])
    let events = Mutex<[String]>([])

    init(_ permissions: Set<String>) { self.permissions = Mutex(permissions) }

    func answer(_ path: String, _ query: [String: String]) -> AnsweringServer.Answer {
      var needed = [
        "/v1/account": ["connected_account_read"], "/v1/events": ["event_read"],
        "/v1/balance": ["balance_read"], "/v1/invoices": ["invoice_read"],
      ][path, default: ["customer_read"]]
      if query["expand[]"]?.contains("tax_ids") == true { needed.append("tax_id_read") }
      for name in needed where !permissions.withLock({ $0.contains(name) }) {
        return (403, #"{"error":{"message":"Having the 'rak_\#(name)' permission would help"}}"#)
      }
      let hasNumbers = query["expand[]"] != nil
      func row(_ id: String, _ name: String) -> String {
        #"{"id":"\#(id)","object":"customer","created":1,"livemode":true,"name":"\#(name)""#
          + (hasNumbers ? #","tax_ids":{"data":[{"value":"DE1"},{"value":"DE2"}]}}"# : "}")
      }
      switch path {
      case "/v1/account": return (200, #"{"id":"acct_1"}"#)
      case "/v1/balance": return (200, #"{"livemode":true}"#)
      case "/v1/invoices": return (200, #"{"data":[],"has_more":false}"#)
      case "/v1/events":
        let rows = events.withLock { $0.joined(separator: ",") }
        return (200, #"{"data":[\#(rows)],"has_more":false}"#)
      case "/v1/customers":
        let rows = customers.withLock { $0.map(row).sorted().joined(separator: ",") }
        return (200, #"{"data":[\#(rows)],"has_more":false}"#)
      default:
        let id = path.replacing("/v1/customers/", with: "")
        let name = customers.withLock { $0[id] }
        return (200, name.map { row(id, $0) } ?? #"{"id":"\#(id)","deleted":true}"#)
      }
    }
  }

  private static let everything: Set = [
    "connected_account_read", "event_read", "customer_read", "tax_id_read",
  ]

  private func feed() throws -> StripeFeed<StripeCustomers> {
    StripeFeed(
      StripeCustomers.self, baseURL: try #require(URL(string: "https://api.stripe.example")))
  }

  private func contacts(_ database: LocalDatabase) async throws -> [String] {
    try await database.contacts(account: "default").map {
      "\($0.id) \($0.name ?? "") \($0.taxNumber ?? "")"
    }.sorted()
  }

  @Test("events name the customers to fetch again, also those of their tax IDs, and the deleted")
  func events() async throws {
    let keyed = KeyedServer(Self.everything)
    let server = AnsweringServer { keyed.answer($0, $1) }
    try await server.runContacts(feed()) { sync, database in
      let first = try await sync.run()
      #expect(first.counts.inserted == 2)
      #expect(try await contacts(database) == ["cus_1 One DE1", "cus_2 Two DE1"])
      let stored = try await database.contacts(account: "default").first
      #expect(stored?.isCustomer == true && stored?.isSupplier == false && stored?.updatedAt == nil)

      keyed.customers.withLock { $0 = ["cus_1": "Uno", "cus_3": "Three"] }
      let objects = [
        ("customer.tax_id.created", #"{"id":"txi_1","object":"tax_id","customer":"cus_1"}"#),
        ("customer.created", #"{"id":"cus_3","object":"customer"}"#),
        ("customer.deleted", #"{"id":"cus_2","object":"customer"}"#),
      ]
      keyed.events.withLock { events in
        events = objects.enumerated().map { number, event in
          #"{"id":"evt_\#(number)","created":\#(Int(Date().timeIntervalSince1970)),"#
            + #""type":"\#(event.0)","data":{"object":\#(event.1)}}"#
        }
      }
      let before = server.requests.count
      let counts = try await sync.run().counts
      #expect(counts.inserted == 1 && counts.updated == 1 && counts.deleted == 1)
      #expect(try await contacts(database) == ["cus_1 Uno DE1", "cus_3 Three DE1"])
      #expect(server.requests.count == before + 3, "\(server.requests)")
      #expect(server.requests[before].contains("types[]=customer.tax_id.deleted"))
    }
  }

  @Test("a key that may not read tax IDs syncs customers without them, until it may")
  func noTaxIDs() async throws {
    let keyed = KeyedServer(Self.everything.subtracting(["tax_id_read"]))
    let server = AnsweringServer { keyed.answer($0, $1) }
    try await server.runContacts(feed()) { sync, database in
      let first = try await sync.run()
      #expect(first.result == .complete)
      #expect(try await contacts(database) == ["cus_1 One ", "cus_2 Two "])
      #expect(try await sync.run().result == .complete)
      keyed.permissions.withLock { _ = $0.insert("tax_id_read") }
      #expect(try await sync.run { $0.isFull = true }.result == .complete)
      #expect(try await contacts(database) == ["cus_1 One DE1", "cus_2 Two DE1"])

      // It is taken away again, which an event shows first.
      keyed.permissions.withLock { _ = $0.remove("tax_id_read") }
      keyed.events.withLock {
        $0 = [
          #"{"id":"evt_1","created":\#(Int(Date().timeIntervalSince1970)),"#
            + #""type":"customer.updated","data":{"object":"cus_1"}}"#
        ]
      }
      let report = try await sync.run()
      #expect(report.result == .complete && report.failures.isEmpty)
      #expect(try await contacts(database) == ["cus_1 One ", "cus_2 Two "])
    }
  }

  @Test("a key that may not read customers syncs invoices, and is told which permission it lacks")
  func noCustomers() async throws {
    let keyed = KeyedServer(["connected_account_read", "invoice_read"])
    let server = AnsweringServer { keyed.answer($0, $1) }
    let url = try #require(URL(string: "https://api.stripe.example"))
    try await server.run(StripeFeed(StripeInvoices.self, baseURL: url)) { sync, _ in
      let report = try await sync.run()
      #expect(report.result == .complete)
    }
    try await server.runContacts(feed()) { sync, _ in
      await #expect {
        _ = try await sync.run()
      } throws: { error in
        guard case SyncError.accessDenied(403, let message) = error else { return false }
        return message?.text.contains("rak_customer_read") == true
      }
    }
  }
}

extension ResourceSync {
  /// Runs with options that a function adjusts.
  fileprivate func run(_ adjust: (inout SyncOptions) -> Void) async throws -> SyncReport {
    var options = SyncOptions()
    adjust(&options)
    return try await run(options)
  }
}
