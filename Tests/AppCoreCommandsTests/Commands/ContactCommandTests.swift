import ErrorCodes
import Foundation
import Models
import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(10))) struct ContactCommandTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let owls = Party(id: "c-1")
    try await fixture.store(
      [
        try SampleRecords.invoice("a", contact: owls, "100.50"),
        try SampleRecords.invoice("b", contact: owls, "0.25", type: .creditNote),
        try SampleRecords.invoice("c", contact: owls, "7", "USD", type: .bill),
        try SampleRecords.invoice("d", contact: owls, "9", status: .paid),
        try SampleRecords.invoice("e", contact: owls, "1000", status: .void),
      ],
      contacts: [
        SampleRecords.contact("c-1", "Żółw & Spółka", email: "owls@example.com"),
        SampleRecords.contact("c-2", "acme ltd"), SampleRecords.contact("c-3", "株式会社"),
        SampleRecords.contact("c-4", nil),
      ])
    return fixture
  }

  @Test("a contact is a document with the sums of its invoices")
  func golden() async throws {
    let fixture = try await fixture()
    let ending = await fixture.run("contacts", "show", "c-1", "--json")
    #expect(
      ending.output == """
        {"contact":{"id":"c-1","name":"Żółw & Spółka","email":"owls@example.com",\
        "phone":null,"taxNumber":null,"isCustomer":null,"isSupplier":null,"status":"active",\
        "rawStatus":"ACTIVE","updatedAt":null,"version":null,"accountNumber":null,\
        "companyNumber":null,"mobile":null,"website":null,"address":null,"deliveryAddress":null,\
        "account":"default","deletedAt":null,\
        "deletedReason":null,"invoiceCount":4,"balances":[{"currency":"EUR","payable":"0",\
        "receivable":"100.25"},{"currency":"USD","payable":"7","receivable":"0"}]},\
        "schemaVersion":1}

        """, "\(ending.output)\(ending.errors)")
  }

  @Test("the contacts that owe something come with the largest amount first")
  func owing() async throws {
    let fixture = try CommandFixture()
    let parties = ["small", "large", "dollars", "supplier"].map { Party(id: $0) }
    try await fixture.store(
      [
        try SampleRecords.invoice("a", contact: parties[0], "9.50"),
        try SampleRecords.invoice("b", contact: parties[1], "10.25"),
        try SampleRecords.invoice("c", contact: parties[2], "1", "USD"),
        try SampleRecords.invoice("d", contact: parties[3], "70", type: .bill),
        try SampleRecords.invoice("e", contact: parties[3], "5", type: .creditNote),
      ],
      contacts: (parties.compactMap(\.id) + ["none"]).map { SampleRecords.contact($0, $0) })
    func names(_ options: [String]) async throws -> [String] {
      let ending = await fixture.run(["contacts", "list", "--json"] + options)
      let contacts = try #require(try ending.document()["contacts"] as? [[String: Any]])
      return contacts.compactMap { $0["name"] as? String }
    }
    #expect(try await names(["--owing"]) == ["large", "small", "dollars"])
    #expect(try await names(["--owing", "--limit", "1"]) == ["large"])
    #expect(try await names(["--owing", "--sort", "name"]) == ["dollars", "large", "small"])
    #expect(try await names(["--owing", "--sort", "receivable"]) == ["small", "large", "dollars"])
    #expect(try await names(["--sort", "-receivable"]).prefix(3) == ["large", "small", "dollars"])
    #expect(try await names(["--sort", "-name"]).first == "supplier")
  }

  @Test("a list is ordered by name and has each contact, also as a document")
  func list() async throws {
    let fixture = try await fixture()
    let document = try await fixture.run("contacts", "list", "--json").document()
    let contacts = try #require(document["contacts"] as? [[String: Any]])
    #expect(document["schemaVersion"] as? Int == 1)
    #expect(contacts.compactMap { $0["id"] as? String } == ["c-4", "c-2", "c-1", "c-3"])
    #expect(contacts.compactMap { $0["invoiceCount"] as? Int } == [0, 0, 4, 0])
    let table = await fixture.run("contacts", "list").output
    #expect(table.hasPrefix("NAME"))
    #expect(table.contains("Żółw & Spółka  owls@example.com  active         4  100.25 EUR"))
    for columns in [40, 80, 200] {
      let lines = await fixture.run(
        "contacts", "list", "--color", "never", columns: columns
      ).output.split(separator: "\n")
      #expect(lines.count == 5 && lines.allSatisfy { DisplayWidth.of($0) <= columns })
    }
  }

  @Test(
    "amounts in several currencies take a line each on a terminal, and are never cut",
    arguments: [40, 60, 80])
  func currencies(columns: Int) async throws {
    let fixture = try CommandFixture()
    let owls = Party(id: "c-1")
    try await fixture.store(
      [
        try SampleRecords.invoice("a", contact: owls, "1234567.50"),
        try SampleRecords.invoice("b", contact: owls, "20409.03", "USD"),
        try SampleRecords.invoice("c", contact: owls, "4456.100", "TND"),
        try SampleRecords.invoice("d", contact: owls, "7", "USD", type: .bill),
        try SampleRecords.invoice("e", contact: Party(id: "c-3"), "8", "USD", type: .bill),
        try SampleRecords.invoice("f", contact: Party(id: "c-3"), "9", type: .bill),
      ],
      contacts: [
        SampleRecords.contact("c-3", "acme ltd"),
        SampleRecords.contact("c-1", "Żółw & Spółka z ograniczoną odpowiedzialnością"),
        SampleRecords.contact("c-2", nil),
      ])
    let command = ["contacts", "list", "--color", "never"]
    let text = await fixture.run(command, columns: columns).output
    let lines = text.split(separator: "\n")
    // At 40 columns there are no payables, and a line that had only one is left out.
    let count = columns == 40 ? 6 : 7
    #expect(lines.count == count && !text.contains("\n\n"), "\(text)")
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns }, "\(text)")
    for amount in ["1234567.50 EUR", "20409.03 USD", "4456.100 TND"] {
      #expect(text.contains(amount), "\(text)")
    }
    let pipe = await fixture.run(command).output
    #expect(pipe.contains("1234567.50 EUR; 4456.100 TND; 20409.03 USD"), "\(pipe)")
  }

  @Test("contacts are searched without case, accents and strokes, and exported")
  func search() async throws {
    let fixture = try await fixture()
    for words in ["zolw", "SPOLKA zo", "owls", "c-1"] {
      let found = await fixture.run("contacts", "show", words)
      #expect(found.output.contains("receivable 100.25 EUR"), "\(words): \(found.errors)")
    }
    let csv = await fixture.run("contacts", "export").output.split(separator: "\r\n")
    #expect(csv.count == 5 && csv[0].hasPrefix("account,id,name,email,"))
    #expect(csv[1].contains(",4,100.25 EUR,7.00 USD,ACTIVE,"))
    let lines = await fixture.run("contacts", "export", "--format", "jsonl", "--search", "acme")
    #expect(lines.output.split(separator: "\n").count == 1)
    let none = await fixture.run("contacts", "list", "--search", "nobody")
    #expect(
      none.output.isEmpty && none.errors == "No contacts match; 4 stored, deleted ones included\n")
    let absent = await fixture.run("contacts", "show", "nobody")
    #expect(absent.errors.contains("no contact has the name or id 'nobody'"))
  }

  @Test("a contact without a name is found by the eight characters that lists show")
  func shortIdentifier() async throws {
    let fixture = try CommandFixture()
    let id = "b642257a-9f00-4b77-8a1e-000000000001"
    try await fixture.store(
      [try SampleRecords.invoice("a", contact: Party(id: id), "1")],
      contacts: [Contact(id: id, status: .active, rawStatus: "ACTIVE")])
    let list = await fixture.run("contacts", "list", columns: 80).output
    #expect(list.contains("b642257a…"), "\(list)")
    let shown = await fixture.run("contacts", "show", "b642257a")
    #expect(shown.output.contains(id), "\(shown.errors)")
    for command in ["invoices", "contacts"] {
      let option = command == "invoices" ? "--contact" : "--search"
      let found = try await fixture.run(command, "list", option, "b642257a", "--json").document()
      #expect((found[command] as? [Any])?.count == 1, "\(found)")
    }
    #expect(await fixture.run("contacts", "show", "b642257b").status == .unclassified)
  }

  @Test("an invoice that has its contact's id alone shows the contact's name")
  func names() async throws {
    let fixture = try await fixture()
    #expect(await fixture.run("invoices", "list").output.contains("Żółw & Spółka"))
    #expect(await fixture.run("invoices", "show", "a").output.contains("contact    Żółw & Spółka"))
    let found = await fixture.run("invoices", "list", "--contact", "zolw", "--json")
    #expect((try found.document()["invoices"] as? [Any])?.count == 4)
    let grouped = await fixture.run("invoices", "summary", "--by", "contact").output
    #expect(grouped.contains("Żółw & Spółka  invoice"), "\(grouped)")
  }

  @Test("without a database the list says which command fetches contacts")
  func none() async throws {
    let fixture = try CommandFixture(configuration: "accounts: { default: { provider: xero } }")
    let ending = await fixture.run("contacts", "list")
    #expect(ending.status == .done && ending.output.isEmpty)
    #expect(
      ending.errors == "No contacts are stored; fetch them with: appcore sync contacts\n")
    let other = try await CommandFixture().run("contacts", "list")
    #expect(other.errors == "acme lists no contacts\n")
    let json = try await CommandFixture().run("contacts", "list", "--json")
    #expect(json.output == #"{"contacts":[],"schemaVersion":1}"# + "\n")
  }
}
