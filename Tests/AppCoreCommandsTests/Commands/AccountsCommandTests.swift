import AppCore
import ErrorCodes
import Foundation
import Models
import Presentation
import TestSupport
import Testing

@testable import AppCoreCommands

/// Commands that show or sync several accounts.
@Suite(.timeLimit(.minutes(10))) struct AccountsCommandTests {
  private static let configuration = """
    defaultAccount: one
    accounts: { one: { provider: acme }, two: { provider: acme }, three: { provider: acme } }
    """

  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture(configuration: Self.configuration)
    for (index, account) in ["one", "two", "three"].enumerated() {
      let id = "\(account)-\(index)"
      try await fixture.store(
        [try SampleRecords.invoice(id, number: "N-\(account)", "1\(index)", due: "2024-05-31")],
        contacts: [SampleRecords.contact("c-\(account)", "Contact \(account)")], account: account)
    }
    return fixture
  }

  @Test("a table of several accounts has a column for the account, one of one account has none")
  func column() async throws {
    let fixture = try await fixture()
    for (command, name) in [
      (["invoices", "list"], "N-"), (["contacts", "list"], "Contact "),
    ] {
      let one = await fixture.run(command).output
      #expect(one.contains(name + "one") && !one.contains(name + "two"), "\(one)")
      #expect(!one.contains("ACCOUNT"))
      for options in [["--account", "one,two"], ["--account", "one", "--account", "two"]] {
        let two = await fixture.run(command + options).output
        #expect(two.hasPrefix("ACCOUNT"), "\(two)")
        #expect(two.contains(name + "one") && two.contains(name + "two"), "\(two)")
        #expect(!two.contains(name + "three"))
      }
      let all = await fixture.run(command + ["--all-accounts"]).output
      #expect(all.split(separator: "\n").count == 4, "\(all)")
    }
  }

  @Test(
    "off a terminal, a run of several accounts names those that changed or failed, and counts all")
  func news() async throws {
    let row = #"[{"id":"1","number":"A","status":"open","day":"2024-05-01","total":"1"}]"#
    let fixture = try CommandFixture(
      configuration: "accounts: { home: { provider: acme }, work: { provider: acme } }")
    for account in ["home", "work"] {
      await fixture.logIn(account)
    }
    func sync(onTerminal isTerminal: Bool) async -> CommandFixture.Ending {
      for _ in 1...2 { fixture.server.answerNext(.reply(CommandFixture.reply(row))) }
      return await fixture.run(
        ["sync", "invoices", "--all-accounts", "--progress", "none"], onTerminal: isTerminal)
    }
    let first = await sync(onTerminal: false)
    #expect(first.output.contains("home  invoices: 1 new"), "\(first)")
    let second = await sync(onTerminal: false)
    #expect(second.status == .done && second.output.hasPrefix("Synced 2 accounts: nothing new"))
    let shown = await sync(onTerminal: true)
    #expect(shown.output.contains("home  invoices: up to date"), "\(shown)")
  }

  @Test("a group stands for its accounts, and defaultAccount: all for every one")
  func groups() async throws {
    let fixture = try CommandFixture(
      configuration: """
        defaultAccount: all
        accounts:
          one: { provider: acme, groups: [monthly] }
          two: { provider: acme, groups: [monthly, vat] }
          three: { provider: acme }
        """)
    for account in ["one", "two", "three"] {
      try await fixture.store([try SampleRecords.invoice(account)], account: account)
    }
    func shown(_ options: String...) async throws -> [String] {
      let document = try await fixture.run(["invoices", "list", "--json"] + options).document()
      let found = try #require(document["invoices"] as? [[String: Any]])
      return found.compactMap { $0["account"] as? String }.sorted()
    }
    #expect(try await shown("--account", "@monthly") == ["one", "two"])
    #expect(try await shown("--account", "@vat,three,two") == ["three", "two"])
    #expect(try await shown() == ["one", "three", "two"])
    #expect(try await shown("--account", "one") == ["one"])
    let unknown = await fixture.run("invoices", "list", "--account", "@yearly")
    #expect(unknown.status == .configuration)
    #expect(
      unknown.errors.contains("no account is in the group 'yearly'; available: @monthly, @vat"),
      "\(unknown.errors)")
    // A command for one account needs its name.
    let show = await fixture.run("invoices", "show", "one")
    #expect(show.status == .configuration && show.errors.contains("--account NAME"))
    #expect(await fixture.run("invoices", "show", "one", "--account", "one").status == .done)
    #expect(await fixture.run("config", "show").output.contains("defaultAccount: all"))
  }

  @Test("names of accounts that begin alike differ in a narrow table")
  func alikeNames() async throws {
    let names = (10...12).map { "sandbox-company-number-\($0)" }
    let fixture = try CommandFixture(
      configuration: "accounts: { "
        + names.map { "\($0): { provider: acme }" }.joined(separator: ", ") + " }")
    for name in names {
      try await fixture.store(
        [try SampleRecords.invoice(name, number: "N-\(name)-of-a-long-number", "1000")],
        account: name)
    }
    let list = await fixture.run("invoices", "list", "--all-accounts", columns: 60).output
    for name in names {
      #expect(list.contains("…") && list.contains(name.suffix(4) + "  "), "\(list)")
    }
  }

  @Test("without a default account, records of an earlier one are not shown unless it is named")
  func noDefault() async throws {
    let fixture = try CommandFixture(
      configuration: "accounts: { home: { provider: acme }, work: { provider: acme } }")
    try await fixture.store([try SampleRecords.invoice("a", number: "A", "1")])
    for command in [["invoices", "list"], ["invoices", "summary"], ["contacts", "list"]] {
      let ending = await fixture.run(command)
      #expect(ending.status == .configuration && ending.output.isEmpty, "\(ending.output)")
      #expect(ending.errors.contains("available: home, work"), "\(ending.errors)")
    }
    #expect(await fixture.run("invoices", "list", "--account", "default").output.contains("A"))
  }

  @Test("spaces around the commas of --account do no harm, and an empty name is refused")
  func commas() async throws {
    let fixture = try await fixture()
    let two = await fixture.run("invoices", "list", "--account", "one, two ")
    #expect(two.output.contains("N-one") && two.output.contains("N-two"), "\(two.errors)")
    for names in ["one,", ",one", "one,,two", ","] {
      #expect(await fixture.run("invoices", "list", "--account", names).status == .usage)
    }
  }

  @Test("sums of several accounts are separate, in the table and in the document")
  func sums() async throws {
    let fixture = try await fixture()
    let text = await fixture.run("invoices", "summary", "--all-accounts").output
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.count == 4 && lines[0].hasPrefix("ACCOUNT"), "\(text)")
    #expect(lines.dropFirst().map { $0.split(separator: " ")[0] } == ["one", "three", "two"])
    for options in [["--by", "contact"], ["--ageing"], []] {
      let command = ["invoices", "summary", "--json", "--account", "two,three"] + options
      let document = try await fixture.run(command).document()
      let rows = try #require(
        ["months", "groups", "ageing"].compactMap { document[$0] as? [[String: Any]] }.first)
      #expect(rows.map { $0["account"] as? String } == ["three", "two"], "\(document)")
    }
  }

  @Test("an export and a report of several accounts hold those of all")
  func export() async throws {
    let fixture = try await fixture()
    let csv = await fixture.run("invoices", "export", "--account", "one,three").output
    #expect(csv.split(separator: "\r\n").count == 3, "\(csv)")
    let contacts = await fixture.run("contacts", "export", "--all-accounts").output
    #expect(contacts.split(separator: "\r\n").count == 4, "\(contacts)")
    let page = await fixture.run("report", "--html", "-", "--all-accounts").output
    for (index, account) in ["one", "three", "two"].enumerated() {
      #expect(page.contains("<h2 id=\"a\(index + 1)-EUR\"><bdi>\(account)</bdi>, EUR</h2>"))
    }
    // 10 + 11 + 12: the sum of three companies.
    #expect(page.contains("12.00") && !page.contains("33.00"))
  }

  @Test("status shows every account, or those that are named")
  func status() async throws {
    let fixture = try await fixture()
    func names(_ options: String...) async throws -> [String] {
      let document = try await fixture.run(["status", "--json"] + options).document()
      let accounts = try #require(document["accounts"] as? [[String: Any]])
      return accounts.compactMap { $0["name"] as? String }
    }
    #expect(try await names() == ["one", "three", "two"])
    #expect(try await names("--all-accounts") == ["one", "three", "two"])
    #expect(try await names("--account", "two,one") == ["two", "one"])
  }

  @Test("missing and unknown account names are refused, and a repeated name counts once")
  func names() async throws {
    let fixture = try await fixture()
    let both = await fixture.run("invoices", "list", "--all-accounts", "--account", "one")
    #expect(both.status == .usage && both.errors.contains("exclude each other"))
    #expect(await fixture.run("invoices", "list", "--account", ",").status == .usage)
    let unknown = await fixture.run("invoices", "list", "--account", "one,tow")
    #expect(unknown.status == .configuration && unknown.errors.contains("unknown account 'tow'"))
    let synced = await fixture.run("sync", "all", "--account", "one,tow")
    #expect(synced.status == .configuration && synced.output.isEmpty, "\(synced.output)")
    let once = await fixture.run("invoices", "list", "--account", "one,one").output
    #expect(!once.contains("ACCOUNT") && once.split(separator: "\n").count == 2)
  }

  @Test("an empty list of one account names the option that lists all accounts")
  func elsewhere() async throws {
    let fixture = try CommandFixture(configuration: Self.configuration)
    try await fixture.store([try SampleRecords.invoice("x")], account: "two")
    let ending = await fixture.run("invoices", "list")
    #expect(ending.errors.contains("--all-accounts"), "\(ending.errors)")
  }

  @Test("an empty list says how to fetch the records of its account")
  func empty() async throws {
    let fixture = try CommandFixture(
      configuration: Self.configuration.replacing("acme", with: "xero"))
    for kind in ["invoices", "contacts"] {
      for (account, option) in [("one", ""), ("two", " --account two")] {
        let errors = await fixture.run(kind, "list", "--account", account).errors
        #expect(errors.hasSuffix("fetch them with: appcore sync \(kind)\(option)\n"), "\(errors)")
      }
      for options in [["--all-accounts"], ["--account", "one,two"]] {
        let errors = await fixture.run([kind, "list"] + options).errors
        let words = options.joined(separator: " ")
        #expect(errors.hasSuffix("appcore sync \(kind) \(words)\n"), "\(errors)")
      }
    }
  }

  @Test("invoices of an account that is not configured are counted apart, with its name")
  func removed() async throws {
    let fixture = try CommandFixture(configuration: Self.configuration)
    try await fixture.store([try SampleRecords.invoice("x")], account: "gone")
    for options in [[], ["--all-accounts"]] {
      let errors = await fixture.run(["invoices", "list"] + options).errors
      let place = "accounts that are not configured any more hold 1 (gone): use --account gone"
      #expect(errors.contains(place), "\(errors)")
      #expect(!errors.contains("or --all-accounts"), "\(errors)")
    }
    try await fixture.store(
      [try SampleRecords.invoice("y"), try SampleRecords.invoice("z")], account: "two")
    let both = await fixture.run("invoices", "list").errors
    #expect(both.contains("; other accounts hold 2: use --account or --all-accounts; accounts "))
    #expect(await fixture.run("invoices", "list", "--account", "gone").output.contains("EUR"))
  }

  @Test("a sync of all prints a line for each account, one report, and the failures together")
  func sync() async throws {
    let fixture = try CommandFixture(configuration: Self.configuration)
    let text = await fixture.run("sync", "all", "--all-accounts")
    #expect(text.status == .signInRequired)
    let lines = text.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 4 && lines[3].hasPrefix("Synced 0 of 3 accounts: nothing new; 3 failed"))
    for account in ["one", "two", "three"] {
      #expect(
        lines.contains {
          $0.hasPrefix(account.padding(toLength: 5, withPad: " ", startingAt: 0) + "  failed: ")
        }, "\(lines)")
    }
    let json = await fixture.run("sync", "all", "--account", "two,one", "--json")
    let document = try json.document()
    let accounts = try #require(document["accounts"] as? [[String: Any]])
    #expect(accounts.map { $0["account"] as? String } == ["two", "one"])
    #expect(accounts.allSatisfy { $0["result"] as? String == "failed" })
    #expect(document["tokenRequests"] as? Int == 0)
    #expect(try json.failure()["account"] as? String == "two")
    #expect(await fixture.run("sync", "all", "--all-accounts", "--quiet").output.isEmpty)
  }

  @Test("accounts that failed alike are named together")
  func grouping() throws {
    func failure(_ account: String?, _ message: String) -> Failure {
      var failure = Failure(.serverFailed, message, "h")
      failure.account = account
      return failure
    }
    let failures = try #require(
      Failures(
        ["a", "b", "c", "d"].map { failure($0, "same") } + [failure("e", "other")]
          + [failure(nil, "same")]))
    #expect(
      failures.text == """
        appcore: a, b and 2 others: same
          h
        appcore: e: other
          h
        appcore: same
          h
        """)
  }

  @Test("ten thousand accounts that failed alike are one message")
  func manyAlike() throws {
    let accounts = (0..<10_000).flatMap { account in
      Resource.Kind.allCases.map { kind in
        var failure = Failure(.serverFailed, "same", "h")
        (failure.account, failure.resource) = ("\(account)", kind.rawValue)
        return failure
      }
    }
    let failures = try #require(Failures(accounts + accounts))
    #expect(failures.all.count == accounts.count)
    let kinds = Resource.Kind.allCases.map(\.rawValue).joined(separator: " and ")
    #expect(failures.text == "appcore: 0, 1 and 9998 others: \(kinds): same\n  h")
  }
}
