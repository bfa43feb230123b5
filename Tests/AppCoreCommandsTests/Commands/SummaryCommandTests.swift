import ErrorCodes
import Foundation
import Models
import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(10))) struct SummaryCommandTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let (ada, bob) = (Party(id: "1", name: "Ada"), Party(name: "Bob"))
    let today = try #require(CalendarDate.today())
    func due(_ days: Int) -> String? { today.adding(days: -days)?.description }
    try await fixture.store([
      try SampleRecords.invoice("a", contact: ada, "100.10", issued: "2024-01-31", due: due(-1)),
      try SampleRecords.invoice("b", contact: ada, "0.20", issued: "2024-03-31", due: due(0)),
      try SampleRecords.invoice("c", contact: bob, "50", issued: "2024-04-01", due: due(30)),
      try SampleRecords.invoice("d", contact: bob, "25", issued: "2024-04-02", due: due(31)),
      try SampleRecords.invoice("e", contact: bob, "2", issued: "2024-04-02", due: due(90)),
      try SampleRecords.invoice("f", contact: bob, "1", issued: "2024-04-02", due: due(91)),
      try SampleRecords.invoice("g", contact: bob, "3", issued: "2024-04-02", due: nil),
      try SampleRecords.invoice(
        "h", contact: bob, "900", "JPY", status: .paid, issued: "2024-04-02", due: due(50)),
    ])
    return fixture
  }

  @Test("sums in one currency leave out invoices without a rate, and name them")
  func converted() async throws {
    let fixture = try await fixture()
    var dollars = try SampleRecords.invoice("i", "10.00", "USD", issued: "2024-05-01")
    dollars.home.currency = Currency(code: "EUR")
    dollars.home.exchangeRate = ExactDecimal("0.91555")
    try await fixture.store([dollars])
    let words = ["invoices", "summary", "--by", "year", "--in", "eur"]
    #expect(
      await fixture.run(words + ["--json"]).output == """
        {"by":"year","convertedTo":"EUR","groups":[\
        {"account":"default","amountDue":"190.46","count":8,"currency":"EUR","net":null,"tax":null,"total":"190.46",\
        "type":"invoice","year":2024}],"schemaVersion":1,"withoutRate":[\
        {"account":"default","count":1,"currency":"JPY","type":"invoice"}]}

        """)
    let shown = await fixture.run(words)
    #expect(shown.output.contains("190.46 EUR") && !shown.output.contains("JPY"))
    #expect(shown.errors.contains("1 invoice in JPY has no rate to EUR; no sum above contains it"))
    let none = await fixture.run("invoices", "summary", "--by", "tax-rate", "--in", "CHF")
    #expect(
      none.errors.contains(
        "7 invoices in EUR, 1 invoice in JPY, 1 invoice in USD have no rate to CHF"))
    let refused = await fixture.run("invoices", "summary", "--in", "euros")
    #expect(refused.errors.contains("'euros' is not a currency code such as EUR"))
    let ageing = await fixture.run("invoices", "summary", "--in", "EUR", "--ageing")
    #expect(ageing.errors.contains("--ageing cannot be combined with --in"))
  }

  @Test("quarters, contacts and statuses are documents of their own")
  func golden() async throws {
    let fixture = try await fixture()
    let yen = #""amountDue":"0","count":1,"currency":"JPY","net":null"#
    #expect(
      await fixture.run("invoices", "summary", "--by", "quarter", "--json").output == """
        {"by":"quarter","groups":[\
        {"account":"default","amountDue":"81","count":5,"currency":"EUR","net":null,"quarter":"2024-Q2","tax":null,"total":"81",\
        "type":"invoice"},\
        {"account":"default",\(yen),"quarter":"2024-Q2","tax":null,"total":"900","type":"invoice"},\
        {"account":"default","amountDue":"100.30","count":2,"currency":"EUR","net":null,"quarter":"2024-Q1","tax":null,"total":"100.30",\
        "type":"invoice"}],"schemaVersion":1}

        """)
    #expect(
      await fixture.run("invoices", "summary", "--by", "contact", "--json").output == """
        {"by":"contact","groups":[\
        {"account":"default","amountDue":"100.30","contact":{"id":"1","name":"Ada"},"count":2,"currency":"EUR","net":null,\
        "tax":null,"total":"100.30","type":"invoice"},\
        {"account":"default","amountDue":"81","contact":{"id":null,"name":"Bob"},"count":5,"currency":"EUR","net":null,\
        "tax":null,"total":"81","type":"invoice"},\
        {"account":"default","amountDue":"0","contact":{"id":null,"name":"Bob"},"count":1,"currency":"JPY","net":null,\
        "tax":null,"total":"900","type":"invoice"}],"schemaVersion":1}

        """)
    #expect(
      await fixture.run("invoices", "summary", "--by", "status", "--json").output == """
        {"by":"status","groups":[\
        {"account":"default","amountDue":"181.30","count":7,"currency":"EUR","net":null,"status":"open","tax":null,"total":"181.30",\
        "type":"invoice"},\
        {"account":"default",\(yen),"status":"paid","tax":null,"total":"900","type":"invoice"}],"schemaVersion":1}

        """)
    let months = await fixture.run("invoices", "summary", "--json").output
    #expect(
      months.hasPrefix(
        #"{"months":[{"account":"default","amountDue":"81","count":5,"currency":"EUR","month":"#))
    #expect(await fixture.run("invoices", "summary", "--by", "month", "--json").output == months)
  }

  @Test("net, tax and total of a period stand beside each other, and VAT by rate is their sum")
  func taxes() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([
      try SampleRecords.complete("a", number: "1"), try SampleRecords.complete("b", number: "2"),
      try SampleRecords.invoice("c", "5", issued: "2023-01-01"),
    ])
    let year = await fixture.run("invoices", "summary", "--by", "year", "--limit", "0").output
    let lines = year.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
    #expect(lines.first?.joined(separator: " ") == "YEAR TYPE COUNT NET TAX TOTAL AMOUNT DUE")
    #expect(
      lines.dropFirst().map { $0.joined(separator: " ") } == [
        "2024 invoice 2 200.00 EUR 38.00 EUR 238.00 EUR 200.00 EUR",
        "2023 invoice 1 - - 5.00 EUR 5.00 EUR",
      ])
    for words in [
      ["--year", "2023"], ["--quarter", "2023-q1"], ["--from", "2023-Q1", "--to", "2023"],
    ] {
      let sums = await fixture.run(["invoices", "summary", "--by", "year"] + words).output
      #expect(sums.split(separator: "\n").count == 2 && sums.contains("2023"), "\(words)")
    }
    let rates = try await fixture.run(
      "invoices", "summary", "--by", "tax-rate", "--year", "2024", "--json"
    ).document()
    let sums = try #require(rates["taxes"] as? [[String: Any]])
    #expect(sums.count == 1 && sums.first?["rate"] as? String == "19", "\(rates)")
    #expect(sums.first?["net"] as? String == "200.00" && sums.first?["tax"] as? String == "38.00")
    let refused = await fixture.run("invoices", "summary", "--year", "2023", "--month", "2023-01")
    #expect(refused.status == .usage)
  }

  @Test("ageing counts the days since invoices were due, and leaves out paid ones")
  func ageing() async throws {
    let fixture = try await fixture()
    let ending = await fixture.run("invoices", "summary", "--ageing", "--json")
    let today = try #require(CalendarDate.today())
    #expect(
      ending.output == """
        {"ageing":[{"account":"default","amountDue":"181.30","buckets":[\
        {"amountDue":"100.30","count":2,"days":"not-due"},\
        {"amountDue":"50","count":1,"days":"1-30"},\
        {"amountDue":"25","count":1,"days":"31-60"},{"amountDue":"2","count":1,"days":"61-90"},\
        {"amountDue":"1","count":1,"days":"over-90"},{"amountDue":"3","count":1,"days":"undated"}\
        ],"count":7,"currency":"EUR","type":"invoice"}],"asOf":"\(today)","schemaVersion":1}

        """)
    let lines = await fixture.run("invoices", "summary", "--ageing").output.split(separator: "\n")
    #expect(lines.count == 8 && lines[2] == "1-30 days     invoice      1   50.00 EUR")
    #expect(lines.last == "total         invoice      7  181.30 EUR")
    let both = await fixture.run("invoices", "summary", "--ageing", "--by", "status")
    #expect(both.status == .usage)
  }

  @Test("money on account is in the ageing, below zero, by its own day and in its party's row")
  func onAccount() async throws {
    let fixture = try await fixture()
    let today = try #require(CalendarDate.today())
    func payment(
      _ id: String, _ days: Int, unallocated: String, type: PaymentType = .receipt
    ) throws -> Payment {
      var payment = Payment(
        id: id, type: type, status: .completed, rawStatus: "",
        currency: try #require(Currency(code: "EUR")),
        amount: try #require(ExactDecimal("500")))
      (payment.contactID, payment.contactName) = ("1", "Ada")
      payment.date = today.adding(days: -days)
      payment.unallocatedAmount = ExactDecimal(unallocated)
      return payment
    }
    var void = try payment("v", 5, unallocated: "9")
    void.status = .void
    try await fixture.store(
      [
        try SampleRecords.invoice(
          "n", contact: Party(id: "1", name: "Ada"), "10", type: .creditNote,
          due: today.adding(days: -40)?.description)
      ],
      payments: [
        try payment("p", 35, unallocated: "20.05"), try payment("q", 0, unallocated: "1"),
        try payment("r", 3, unallocated: "0.00"), void,
        try payment("s", 100, unallocated: "7", type: .payment),
      ])
    let words = ["invoices", "summary", "--ageing"]
    let lines = await fixture.run(words).output.split(separator: "\n").map(String.init)
    #expect(lines.contains("not due yet   receipt          1   -1.00 EUR"), "\(lines)")
    #expect(lines.contains("31-60 days    receipt          1  -20.05 EUR"))
    #expect(lines.contains("over 90 days  payment          1   -7.00 EUR"))
    #expect(lines.contains("31-60 days    credit-note      1   10.00 EUR"))
    let parties = await fixture.run(words + ["--by", "contact"]).output
    #expect(
      parties == """
        CONTACT  SIDE        NOT DUE YET  1-30 DAYS  31-60 DAYS  61-90 DAYS  OVER 90 DAYS  NO DUE DATE      TOTAL
        Bob      receivable            -      50.00       25.00        2.00          1.00         3.00  81.00 EUR
        Ada      receivable        99.30          -      -30.05           -             -            -  69.25 EUR
        Ada      payable               -          -           -           -         -7.00            -  -7.00 EUR

        """)
    let document = try await fixture.run(words + ["--by", "contact", "--json"]).document()
    let sums = try #require(document["ageing"] as? [[String: Any]])
    #expect(sums.map { $0["side"] as? String } == ["receivable", "receivable", "payable"])
    #expect(sums.map { $0["amountDue"] as? String } == ["81", "69.25", "-7"])
    // What is asked for decides: no type of invoice is one of payment.
    let invoices = await fixture.run(words + ["--type", "invoice"]).output
    #expect(!invoices.contains("receipt"))
    let late = await fixture.run(words + ["--overdue", "--by", "contact"]).output
    #expect(late.contains("-30.05 EUR") && !late.contains("-1.00"), "\(late)")
  }

  @Test("a single age is its own total")
  func oneAge() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([try SampleRecords.invoice("a", "10")])
    let lines = await fixture.run("invoices", "summary", "--ageing").output.split(separator: "\n")
    #expect(lines.count == 2 && !lines[1].hasPrefix("total"), "\(lines)")
  }

  @Test("a draft counts in the sum, and nothing of it is due")
  func drafts() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([
      try SampleRecords.invoice("a", "10", status: .draft),
      try SampleRecords.invoice("b", "20", status: .partiallyPaid),
    ])
    for options in [["--by", "quarter"], []] {
      let document = try await fixture.run(["invoices", "summary", "--json"] + options).document()
      let sums = try #require((document["groups"] ?? document["months"]) as? [[String: Any]])
      #expect(sums.count == 1 && sums[0]["total"] as? String == "30", "\(document)")
      #expect(sums[0]["amountDue"] as? String == "20")
    }
  }

  @Test("bars fit the terminal, and a pipe has none", arguments: [40, 80, 200])
  func bars(columns: Int) async throws {
    let fixture = try await fixture()
    for arguments in [["--by", "contact"], ["--ageing"], []] {
      let command = ["invoices", "summary", "--color", "never"] + arguments
      let lines = await fixture.run(command, columns: columns).output.split(separator: "\n")
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns }, "\(lines)")
      if columns >= 80 { #expect(lines.contains { $0.contains("████████") }, "\(lines)") }
      let dumb = await fixture.run(command, variables: ["TERM": "dumb"], columns: columns).output
      #expect(!dumb.contains("█") && !dumb.contains("\u{1B}"))
      let piped = await fixture.run(command).output
      #expect(!piped.contains("█") && !piped.contains("#"))
    }
  }
}
