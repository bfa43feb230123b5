import AppCore
import Foundation
import JSONReading
import Models
import SyncSupport
import TestSupport
import Testing

@testable import SingerTap
@testable import Storage

/// A target has the rows of the database after each run of the tap, whatever happened before.
@Suite(.timeLimit(.minutes(10))) struct SingerTapTests {
  @Test("after each of 200 changes, the tables equal the export", arguments: [1, 2] as [UInt64])
  func changes(seed: UInt64) async throws {
    var fixture = try await TapFixture(seed: seed)
    let catalog = try SingerCatalog(json: TapFixture.everything, source: "catalog.json")
    var target = TapTarget()
    for step in 0..<200 {
      try await fixture.change()
      try target.take(try await fixture.messages(target.state, catalog))
      #expect(target.activated.isEmpty == (step > 0))
      try await fixture.compare(target)
    }
    #expect(target.streams.count == SingerStream.allCases.count)
    try target.take(try await fixture.messages(target.state, catalog))
    #expect(target.count == 0)
    try await fixture.compareGuide(target)
  }

  @Test("a target that is killed anywhere goes on with its last state", arguments: [3] as [UInt64])
  func killed(seed: UInt64) async throws {
    var fixture = try await TapFixture(seed: seed)
    var random = SeededRandom(seed: seed, part: 7)
    var target = TapTarget()
    for _ in 0..<100 {
      for _ in 0..<random.within(1...3) { try await fixture.change() }
      let text = try await fixture.messages(target.state)
      let limit = random.below(text.split(separator: "\n").count + 1)
      try target.take(text, until: limit, stores: random.chance(50))
      try target.take(try await fixture.messages(target.state))
      try await fixture.compare(target)
    }
  }

  @Test("a run of thousands of rows states how far it is, and goes on there")
  func long() async throws {
    var fixture = try await TapFixture()
    for page in 0..<9 {
      let invoices = (0..<500).map { index -> Invoice in
        var invoice = Invoice.blank
        invoice.id = "\(page)-\(index)"
        return invoice
      }
      try await fixture.store(invoices, in: fixture.database.invoiceStore)
    }
    let text = try await fixture.messages()
    let lines = text.split(separator: "\n")
    let states = lines.indices.filter { lines[$0].contains("\"STATE\"") }
    #expect(states.count == 5)
    var target = TapTarget()
    // Killed in the middle, after a state.
    try target.take(text, until: states[2] + 700)
    #expect(
      target.tables["invoices"]?.count == 3_699 && target.state.contains("\"complete\":false"))
    // Meanwhile a row that was written is forgotten with its account, and others come.
    try await fixture.database.forgetRecords(account: "default")
    try await fixture.store([Invoice.blank], in: fixture.database.invoiceStore)
    try target.take(try await fixture.messages(target.state))
    #expect(target.activated == ["invoices", "payments"])
    try await fixture.compare(target)
  }

  @Test("without a usable state, all rows are written, and the target drops the others")
  func states() async throws {
    var fixture = try await TapFixture(seed: 5)
    for _ in 0..<30 { try await fixture.change() }
    var target = TapTarget()
    try target.take(try await fixture.messages())
    try await fixture.compare(target)
    var other = try await TapFixture(seed: 6)
    for _ in 0..<60 { try await other.change() }
    var foreign = TapTarget()
    try foreign.take(try await other.messages())
    let future = target.state.replacing(
      /"replication_key_value":\d+/, with: "\"replication_key_value\":1000000")
    for state in ["{}", "", "{\"bookmarks\":{}}", future, foreign.state] {
      for _ in 0..<3 { try await fixture.change() }
      target.lose(state: state)
      let (messages, ending) = try await fixture.run(target.state)
      #expect(
        ending.refusal
          == (state == future ? .laterState : state == foreign.state ? .otherDatabase : nil))
      try target.take(messages)
      #expect(target.activated == ["accounts", "contacts", "invoices", "payments"])
      try await fixture.compare(target)
      #expect(
        target.tables["invoices"]?.values.allSatisfy {
          $0.values["deleted_reason"] != .text("forgotten")
        } == true)
    }
    #expect(throws: ConfigurationError.self) {
      try SingerState(json: "[1", source: "state.json")
    }
  }

  @Test("decimals are exact texts, or numbers with all their digits")
  func decimals() async throws {
    var fixture = try await TapFixture()
    let amounts = ["12345678901234567.89", "0.000001", "1.468"]
    let invoices = try amounts.map { amount -> Invoice in
      var invoice = Invoice.blank
      (invoice.id, invoice.total) = (amount, try #require(ExactDecimal(amount)))
      return invoice
    }
    try await fixture.store(invoices, in: fixture.database.invoiceStore)
    let texts = try await fixture.messages()
    let numbers = try await fixture.messages(configuration: #"{"decimals": "number"}"#)
    for amount in amounts {
      #expect(texts.contains("\"total\":\"\(amount)\""))
      #expect(numbers.contains("\"total\":\(amount),"))
    }
    #expect(texts.contains(#""total":{"type":["string","null"],"format":"x-singer.decimal"}"#))
    #expect(numbers.contains(#""total":{"type":["number","null"]}"#))
  }

  @Test("a catalog chooses streams and columns; keys and the number of the change stay")
  func catalog() async throws {
    var fixture = try await TapFixture(seed: 8)
    for _ in 0..<40 { try await fixture.change() }
    let discovered = SingerCatalog.discovered(SingerConfiguration())
    let usual = try SingerCatalog(json: discovered, source: "catalog.json")
    #expect(usual.streams == SingerCatalog().streams)
    let catalog = """
      {"streams": [
        {"tap_stream_id": "invoices", "metadata": [
          {"breadcrumb": [], "metadata": {"selected": true}},
          {"breadcrumb": ["properties", "lines"], "metadata": {"selected": false}},
          {"breadcrumb": ["properties", "contact_id"], "metadata": {"selected": false}},
          {"breadcrumb": ["properties", "id"], "metadata": {"selected": false}}]},
        {"tap_stream_id": "invoice_lines", "metadata": [
          {"breadcrumb": [], "metadata": {"selected": true}}]},
        {"tap_stream_id": "contacts", "metadata": [
          {"breadcrumb": [], "metadata": {"selected": false}}]},
        {"tap_stream_id": "invoice_taxes", "metadata": [
          {"breadcrumb": [], "metadata": {"selected-by-default": false}}]}]}
      """
    let chosen = try SingerCatalog(json: catalog, source: "catalog.json")
    var target = TapTarget()
    try target.take(try await fixture.messages("{}", chosen))
    #expect(target.tables.keys.sorted() == ["invoice_lines", "invoices"])
    let row = try #require(target.tables["invoices"]?.values.first?.values)
    #expect(row["lines"] == nil && row["contact_id"] == nil && row["id"] != nil)
    #expect(row["contact_name"] != nil && row["change"] != nil)
    for lines in try #require(target.tables["invoice_lines"]).values {
      let key = ["account", "invoice_id"].compactMap { lines.values[$0]?.word }
        .joined(separator: " ")
      #expect(lines.values["change"] == target.tables["invoices"]?[key]?.values["change"])
    }
    // A stream that is selected later is written whole, and so is one with another column.
    try target.take(try await fixture.messages(target.state))
    #expect(target.activated == ["accounts", "contacts", "invoices", "payments"])
    #expect(throws: ConfigurationError.self) {
      try SingerCatalog(
        json: #"{"streams": [{"tap_stream_id": "bills", "selected": true}]}"#, source: "c")
    }
  }

  @Test("other accounts are another selection, which is written whole")
  func accounts() async throws {
    var fixture = try await TapFixture()
    for account in ["a", "b"] {
      try await fixture.store([Invoice.blank], in: fixture.database.invoiceStore, account: account)
    }
    var target = TapTarget()
    try target.take(try await fixture.messages(accounts: ["a"]))
    #expect(target.tables["invoices"]?.count == 1 && target.tables["accounts"]?.count == 1)
    try target.take(try await fixture.messages(target.state, accounts: ["a"]))
    #expect(target.count == 0 && target.activated.isEmpty)
    try target.take(try await fixture.messages(target.state, accounts: ["b", "a"]))
    #expect(target.tables["invoices"]?.count == 2 && !target.activated.isEmpty)
    try target.take(try await fixture.messages(target.state))
    #expect(target.tables["invoices"]?.count == 2 && !target.activated.isEmpty)
  }

  @Test("a target drops nothing before each list of an account was once read to its end")
  func incomplete() async throws {
    var fixture = try await TapFixture()
    let database = fixture.database
    var target = TapTarget()
    try target.take(try await fixture.messages())
    #expect(target.activated.isEmpty)
    try await fixture.store([Invoice.blank], in: database.invoiceStore, account: "a", ends: false)
    try await fixture.store([Contact.blank], in: database.contactStore, account: "a")
    try target.take(try await fixture.messages(target.state))
    #expect(target.count == 3 && target.activated == ["contacts", "payments"])
    try target.take(try await fixture.messages(target.state))
    #expect(target.count == 0 && target.activated.isEmpty)
    var second = Invoice.blank
    second.id = "second"
    try await fixture.store([second], in: database.invoiceStore, account: "a")
    try target.take(try await fixture.messages(target.state))
    // The account's row has not changed; both versions of the invoices' table are the same.
    #expect(target.activated == ["accounts", "invoices"])
    #expect(target.tables["invoices"]?.count == 2 && target.tables["accounts"]?.count == 1)
    // An account of which nothing was ever read whole.
    try target.take(try await fixture.messages(target.state, accounts: ["a", "b"]))
    #expect(target.activated.isEmpty && target.count > 0)
  }

  @Test("a target drops nothing while a list that the provider has was never begun")
  func neverBegun() async throws {
    var fixture = try await TapFixture()
    let (a, lists) = ("a", ["a": [Resource.invoices, .creditNotes, .contacts]])
    try await fixture.store([Invoice.blank], in: fixture.database.invoiceStore, account: a)
    var target = TapTarget()
    let first = try await fixture.run(target.state, lists: lists)
    try target.take(first.messages)
    #expect(target.count == 2 && target.activated == ["payments"])
    #expect(first.ending.unread == UnreadList(account: a, resource: .contacts))
    try await fixture.store([Contact.blank], in: fixture.database.contactStore, account: a)
    try target.take(try await fixture.messages(target.state, lists: lists))
    #expect(target.activated == ["contacts"])
    let notes = fixture.database.invoiceStore(of: .creditNotes)
    try await fixture.store([Invoice](), in: notes, account: a)
    let last = try await fixture.run(target.state, lists: lists)
    try target.take(last.messages)
    #expect(target.activated == ["accounts", "invoices"] && last.ending.unread == nil)
    // An account of the configuration that was never synced.
    let more = lists.merging(["b": [Resource.invoices]]) { $1 }
    try target.take(try await fixture.messages("{}", lists: more))
    #expect(target.activated.isEmpty)
  }

  @Test("a column that is selected later comes with all rows")
  func laterColumn() async throws {
    var fixture = try await TapFixture()
    try await fixture.store([Invoice.blank], in: fixture.database.invoiceStore)
    let text = """
      {"streams": [{"tap_stream_id": "invoices", "metadata": [
        {"breadcrumb": ["properties", "number"], "metadata": {"selected": false}}]}]}
      """
    var target = TapTarget()
    let narrow = try SingerCatalog(json: text, source: "catalog.json")
    try target.take(try await fixture.messages("{}", narrow))
    try target.take(try await fixture.messages(target.state, narrow))
    #expect(target.count == 0)
    let wide = try SingerCatalog(
      json: text.replacing("number", with: "lines"), source: "catalog.json")
    try target.take(try await fixture.messages(target.state, wide))
    #expect(target.count == 1 && target.activated == ["invoices"])
    try target.take(try await fixture.messages(target.state, wide))
    #expect(target.count == 0)
  }

  @Test(
    "an unknown or malformed key of the configuration is an error",
    arguments: [
      #"{"acounts": []}"#, #"{"sync": "soon"}"#, #"{"decimals": "float"}"#,
      #"{"max_wait": "long"}"#, #"{"accounts": "a"}"#, "[]", "{",
    ])
  func configuration(text: String) {
    #expect(throws: ConfigurationError.self) {
      try SingerConfiguration(json: text, source: "tap.json")
    }
  }

  @Test("a configuration has all keys that --about names")
  func about() throws {
    let configuration = try SingerConfiguration(
      json: """
        {"config_file": "/etc/a.yaml", "accounts": ["a", "@g"], "sync": true, "max_wait": 90,
         "decimals": "number"}
        """, source: "tap.json")
    #expect(configuration.configFile == "/etc/a.yaml" && configuration.accounts == ["a", "@g"])
    #expect(configuration.syncs && configuration.maxWait == "90s")
    #expect(configuration.decimals == .number)
    let unset = try SingerConfiguration(
      json: #"{"config_file": null, "accounts": null, "sync": null}"#, source: "tap.json")
    #expect(unset.configFile == nil && unset.accounts == nil && !unset.syncs)
    let about = SingerTap.about(version: "1")
    for key in SingerConfiguration.Key.allCases { #expect(about.contains("\"\(key.rawValue)\"")) }
  }
}
