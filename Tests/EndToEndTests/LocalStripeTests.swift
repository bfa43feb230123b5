import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import TestSupport
import Testing

/// The real program against localstripe, a server in the shape of Stripe's that strangers wrote.
///
/// localstripe knows no wildcard for the types of events (`invoice.*`), so its list of events is
/// empty to us, and only a full sync shows a change.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(
    if: LocalStripe.isAvailable,
    "localstripe is not in .build/localstripe; Config/scripts/setup test installs it"))
struct LocalStripeTests {
  @Test("a server that does not know the account of a key is read, or is refused with its status")
  func withoutAccount() async throws {
    let server = try await LocalStripe.start(hasAccount: false)
    let login = try await server.run("login", "--token-stdin", "--no-input", input: LocalStripe.key)
    let sync = try await server.run("sync", "invoices")
    if login.status == 0 {
      #expect(sync.status == 0, "\(sync.errors)")
    } else {
      #expect(login.errors.contains("404") && sync.status == 77, "\(login.errors)")
    }
    #expect(!(login.errors + sync.errors + login.output).contains(LocalStripe.key))
    await server.stop()
  }

  @Test("invoices of localstripe are synced with a key, and again after they changed")
  func changes() async throws {
    let server = try await LocalStripe.start()
    let (plan, taxRate) = try await server.plan(amount: 1_999, tax: "20")
    for number in 1...3 {
      let customer = try await server.customer("buyer\(number)@example.test")
      try await server.post(
        "invoiceitems",
        [
          "customer": customer, "amount": "\(number)50", "currency": "usd",
          "description": "Müller & Söhne \(number)",
        ])
      let subscription = try await server.post(
        "subscriptions",
        ["customer": customer, "items[0][plan]": plan, "items[0][tax_rates][0]": taxRate])
      try await server.post(
        "invoices", ["customer": customer, "subscription": subscription["id"] ?? ""])
    }
    #expect(
      try await server.run("login", "--token-stdin", "--no-input", input: LocalStripe.key).status
        == 0)
    let first = try await server.run("sync", "invoices")
    #expect(first.status == 0, "\(first.errors)")
    let before = try await server.listed()
    #expect(before.count == 6 && Set(before.values.map(\.status)) == [.paid, .draft])
    #expect(try await server.stored() == before)

    let drafts = before.values.filter { $0.status == .draft }.map(\.id).sorted()
    try await server.post("invoices/\(drafts[0])/pay", [:])
    try await server.send(.delete, "invoices/\(drafts[1])", [:])
    let customer = try await server.customer("new@example.test")
    try await server.post("subscriptions", ["customer": customer, "items[0][plan]": plan])
    let after = try await server.listed()
    #expect(after.count == 6 && after != before && after[drafts[0]]?.status == .paid)
    #expect(try await server.run("sync", "invoices").status == 0)
    let second = try await server.run("sync", "invoices", "--full")
    #expect(second.status == 0, "\(second.errors)")
    #expect(try await server.stored() == after)
    await server.stop()
  }
}

/// localstripe in a process of its own, and an account of the real program that reads it.
private final class LocalStripe: Sendable {
  static let key = "sk_test_localstripe"
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let python = root.appending(path: ".build/localstripe/bin/python3")
    .path(percentEncoded: false)

  static let isAvailable = FileManager.default.isExecutableFile(atPath: python)

  private let process: ChildProcess
  private let session = Session(
    name: "localstripe", configuration: SessionConfiguration(), logger: .silent)
  private let url: URL
  private let home: TemporaryDirectory
  private let environment: [String: String]

  /// - Parameter hasAccount: whether the server answers `GET /v1/account`.
  static func start(hasAccount: Bool = true) async throws -> LocalStripe {
    let script = root.appending(path: "Tests/LocalStripe/serve.py").path(percentEncoded: false)
    let process = try ChildProcess(
      python, [script] + (hasAccount ? ["--account"] : []), environment: ["PATH": "/usr/bin:/bin"],
      input: Pipe())
    try await eventually("localstripe listens") {
      guard process.isRunning else { throw CocoaError(.executableLoad) }
      return process.output.hasSuffix("\n")
    }
    let port = process.output.trimmingCharacters(in: .newlines)
    return try LocalStripe(process, try #require(URL(string: "http://127.0.0.1:" + port)))
  }

  private init(_ process: ChildProcess, _ url: URL) throws {
    self.process = process
    self.url = url
    home = try TemporaryDirectory()
    let key = try home.write("a passphrase of some length", to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": home.path, "XDG_DATA_HOME": home.file("data"),
      "XDG_STATE_HOME": home.file("state"),
      "APPCORE_CONFIG": try home.write(
        """
        secretStore: { kind: encrypted-file, keyFile: "\(key)" }
        accounts: { default: { provider: stripe } }
        providers: { stripe: { baseURL: "\(url.absoluteString)" } }
        """, to: "config.yaml"),
    ]
  }

  func run(_ arguments: String..., input: String? = nil) async throws -> ChildProcess.Ending {
    let program = try ChildProcess(
      try ChildProcess.built("appcore"), arguments, environment: environment,
      input: try input.map(Pipe.holding))
    return await program.ending()
  }

  func stop() async {
    await session.shutdown()
    // It would wait a minute for connections to end, and has nothing to save.
    process.send(SIGKILL)
    _ = await process.ending()
  }

  // MARK: The books

  /// Sends a request, and returns the texts of the object in the reply.
  @discardableResult
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ form: [String: String]
  ) async throws -> [String: String] {
    var parts = URLComponents()
    parts.queryItems = form.map { URLQueryItem(name: $0.key, value: $0.value) }
    let text = (parts.percentEncodedQuery ?? "").replacing("+", with: "%2B")
    let response = try await session.send(
      try Request(
        method: method, url: url.appending(path: "v1/" + path),
        fields: [
          .authorization: "Bearer " + Self.key,
          .contentType: "application/x-www-form-urlencoded",
        ], body: Array(text.utf8)))
    guard response.head.status.kind == .successful else {
      throw Refused(path: path, reply: String(decoding: response.body, as: UTF8.self))
    }
    let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    return (object ?? [:]).compactMapValues { $0 as? String }
  }

  private struct Refused: Error {
    let path: String
    let reply: String
  }

  @discardableResult
  func post(_ path: String, _ form: [String: String]) async throws -> [String: String] {
    try await send(.post, path, form)
  }

  func customer(_ email: String) async throws -> String {
    let card = try await post(
      "tokens",
      [
        "card[number]": "4242424242424242", "card[exp_month]": "12", "card[exp_year]": "2099",
        "card[cvc]": "123",
      ])
    return try await post("customers", ["email": email, "source": card["id"] ?? ""])["id"] ?? ""
  }

  /// Makes a plan in dollars, and a rate of tax.
  func plan(amount: Int, tax percentage: String) async throws -> (plan: String, taxRate: String) {
    let product = try await post("products", ["name": "Tea", "type": "service"])
    let plan = try await post(
      "plans",
      [
        "amount": "\(amount)", "currency": "usd", "interval": "month",
        "product": product["id"] ?? "", "nickname": "Tea every month",
      ])
    let rate = try await post(
      "tax_rates", ["display_name": "VAT", "inclusive": "false", "percentage": percentage])
    return (plan["id"] ?? "", rate["id"] ?? "")
  }

  // MARK: What is compared

  /// The part of an invoice that localstripe has.
  struct Part: Equatable {
    let id: String
    let status: InvoiceStatus
    let currency: String
    let total: String
    let paid: String
    let tax: String
    let email: String?
    let customer: String?
    let issued: String?
    let lines: [[String?]]
    let taxes: [[String]]
  }

  /// The invoices of localstripe's list, read without the package's reader.
  func listed() async throws -> [String: Part] {
    let response = try await session.send(
      try Request(
        url: url.appending(path: "v1/invoices").appending(
          queryItems: [URLQueryItem(name: "limit", value: "100")]),
        fields: [.authorization: "Bearer " + Self.key]))
    let list = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    let rows = list?["data"] as? [[String: Any]] ?? []
    return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"] as? String ?? "", part($0)) })
  }

  private func part(_ row: [String: Any]) -> Part {
    func cents(_ row: [String: Any], _ key: String) -> String {
      let cents = row[key] as? Int ?? -1
      return "\(cents / 100)." + (cents % 100 < 10 ? "0" : "") + "\(cents % 100)"
    }
    let words: [String: InvoiceStatus] = [
      "draft": .draft, "open": .open, "paid": .paid, "void": .void,
    ]
    let lines = (row["lines"] as? [String: Any])?["data"] as? [[String: Any]] ?? []
    let final = (row["status_transitions"] as? [String: Any])?["finalized_at"] as? Double
    return Part(
      id: row["id"] as? String ?? "",
      status: (row["status"] as? String).flatMap { words[$0] } ?? .unknown,
      currency: (row["currency"] as? String ?? "").uppercased(), total: cents(row, "total"),
      paid: cents(row, "amount_paid"), tax: cents(row, "tax"),
      email: row["customer_email"] as? String, customer: row["customer"] as? String,
      issued: final.map {
        Date(timeIntervalSince1970: $0).formatted(.iso8601.year().month().day())
      },
      lines: lines.map {
        [$0["id"] as? String, $0["description"] as? String, cents($0, "amount")]
      },
      taxes: (row["total_tax_amounts"] as? [[String: Any]] ?? []).map { [cents($0, "amount")] })
  }

  /// The invoices that are stored and not deleted.
  func stored() async throws -> [String: Part] {
    let database = try await LocalDatabase.open(at: home.file("data") + "/appcore/appcore.sqlite")
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let rows = try await database.invoices(matching: query).filter { $0.deletedAt == nil }
    try await database.close()
    return Dictionary(
      uniqueKeysWithValues: rows.map(\.invoice).map { invoice in
        let part = Part(
          id: invoice.id, status: invoice.status, currency: invoice.currency.code,
          total: invoice.total.description, paid: invoice.amountPaid?.description ?? "",
          tax: invoice.totalTax?.description ?? "", email: invoice.contact.email,
          customer: invoice.contact.id, issued: invoice.issueDate?.description,
          lines: invoice.lines.map { [$0.id, $0.description, $0.lineAmount?.description] },
          taxes: invoice.taxBreakdown.map { [$0.taxAmount.description] })
        return (invoice.id, part)
      })
  }
}
