import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(10))) struct SyncCommandTests {
  private static func rows(_ ids: Range<Int>) -> String {
    let rows = ids.map {
      #"{"id":"\#($0)","number":"A-\#($0)","status":"open","day":"2024-05-01","total":"1.50"}"#
    }
    return "[" + rows.joined(separator: ",") + "]"
  }

  private static let contacts = """
          contacts:
            path: /contacts
            rows: .
            fields: { id: id, name: name, status: { value: active } }
    """

  @Test("a sync prints one document with the counts of stored records")
  func document() async throws {
    let fixture = try await CommandFixture.loggedIn([Self.rows(0..<3)])
    let ending = await fixture.run("sync", "invoices", "--json")
    #expect(ending.status == .done && ending.errors.isEmpty, "\(ending.errors)")
    let document = try ending.document()
    #expect(document["resource"] as? String == "invoices")
    #expect(
      document["provider"] as? String == "acme" && document["account"] as? String == "default")
    #expect(document["result"] as? String == "complete" && document["inserted"] as? Int == 3)
    #expect(document["tokenRequests"] as? Int == 0 && document["changes"] == nil)
  }

  @Test("a dry run reports what would change and stores nothing")
  func dryRun() async throws {
    let fixture = try await CommandFixture.loggedIn([Self.rows(0..<2)])
    let ending = await fixture.run("sync", "invoices", "--dry-run", "--json")
    let document = try ending.document()
    #expect(document["result"] as? String == "dry-run" && document["inserted"] as? Int == 2)
    #expect((document["changes"] as? [Any])?.count == 2)
    let none = await fixture.run("invoices", "list")
    #expect(none.status == .done && none.output.isEmpty)
    #expect(none.errors == "No invoices are stored; fetch them with: appcore sync invoices\n")
  }

  @Test("a row that cannot be read ends in 65, and the others are stored")
  func unreadable() async throws {
    let page =
      "\(Self.rows(0..<2).dropLast())" + #",{"id":"x","number":"A-x","status":"open","total":"?"}]"#
    let fixture = try await CommandFixture.loggedIn([page, page, page])
    let ending = await fixture.run("sync", "invoices")
    #expect(ending.status == .unreadableData)
    #expect(ending.output.contains("2 new") && ending.output.contains("1 unreadable"))
    #expect(ending.errors.contains("invoices x: total"), "\(ending.errors)")
    #expect(await fixture.run("invoices", "list").output.contains("A-1"))
    // A row that stays as it is ends no later run.
    let second = await fixture.run("sync", "invoices")
    #expect(second.status == .done && second.errors.isEmpty, "\(second.errors)")
    #expect(
      second.output.contains("1 invoice reported before still cannot be read; appcore status"))
    let document = try await fixture.run("sync", "invoices", "--json").document()
    #expect(document["unreadable"] as? Int == 1 && document["newlyUnreadable"] as? Int == 0)
    #expect(document["result"] as? String == "complete")
    let status = await fixture.run("status").output
    #expect(status.contains("1 cannot be read:\n             x: total: "), "\(status)")
    let doctor = await fixture.run("doctor").output
    #expect(
      doctor.contains("WARN records default invoices: 1 cannot be read, such as x: total: "),
      "\(doctor)")
  }

  @Test(
    "a resource that the provider does not list is a configuration error with the available ones")
  func notListed() async throws {
    let fixture = try await CommandFixture.loggedIn()
    let ending = await fixture.run("sync", "contacts")
    #expect(ending.status == .configuration)
    #expect(ending.errors.contains("acme does not list contacts; available: invoices"))
  }

  @Test("sync all reports each resource, and one that fails does not stop the others")
  func all() async throws {
    let fixture = try await CommandFixture.loggedIn(
      ["{}", #"[{"id":"c","name":"C"}]"#], resources: Self.contacts)
    let ending = await fixture.run("sync", "all", "--json")
    #expect(ending.status == .unreadableData)
    let reports = try #require(try ending.document()["reports"] as? [[String: Any]])
    #expect(reports.map { $0["resource"] as? String } == ["contacts"])
    let failure = try ending.failure()
    #expect(failure["resource"] as? String == "invoices")
    #expect(failure["exitCode"] as? Int == 65 && failure["retryable"] as? Bool == false)
  }

  @Test("several failures of a sync are one JSON object, which lists them")
  func severalFailures() async throws {
    let fixture = try await CommandFixture.loggedIn(["{}", "{}"], resources: Self.contacts)
    let ending = await fixture.run("sync", "all", "--json")
    #expect(ending.status == .unreadableData)
    let text = ending.errors.trimmingCharacters(in: .newlines)
    #expect(!text.contains("\n"))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let all = try #require(object?["errors"] as? [[String: Any]])
    #expect(all.map { $0["resource"] as? String } == ["invoices", "contacts"])
  }

  @Test("a sync without a login ends in 77 with the command to sign in")
  func notSignedIn() async throws {
    let ending = try await CommandFixture().run("sync", "invoices")
    #expect(ending.status == .signInRequired && ending.output.isEmpty)
    #expect(ending.errors.contains("appcore login --account default"))
  }

  @Test("a server that cannot be reached ends in 69")
  func unavailable() async throws {
    let fixture = try await CommandFixture.loggedIn(
      configuration: """
        accounts: { default: { provider: acme } }
        sessions: { invoices: { retry: { attempts: 1 } } }
        """)
    let ending = await fixture.run("sync", "invoices", "--json")
    #expect(ending.status == .unavailable)
    #expect(try ending.failure()["retryable"] as? Bool == true)
  }

  @Test("a run that would delete too much ends in 65, and --allow-mass-deletion lets it")
  func massDeletion() async throws {
    let fixture = try await CommandFixture.loggedIn([
      Self.rows(0..<12), Self.rows(0..<1), Self.rows(0..<1),
    ])
    #expect(await fixture.run("sync", "invoices").status == .done)
    let refused = await fixture.run("sync", "invoices", "--full", "--json")
    #expect(refused.status == .unreadableData)
    #expect(try refused.failure()["code"] as? String == "mass-deletion")
    let allowed = await fixture.run(
      "sync", "invoices", "--full", "--allow-mass-deletion", "--json")
    #expect(try allowed.document()["deleted"] as? Int == 11)
  }

  @Test("the hints of a sync name an account that is not the default", arguments: ["one", "two"])
  func hints(account: String) async throws {
    let fixture = try CommandFixture(
      [Self.rows(0..<12), Self.rows(0..<1), Self.rows(0..<1)],
      configuration: """
        defaultAccount: one
        accounts: { one: { provider: acme }, two: { provider: acme } }
        """)
    fixture.server.answerNext(.reply(CommandFixture.reply("[]")))
    let login = await fixture.run("login", "--token-stdin", "--account", account, input: "key")
    #expect(login.status == .done, "\(login.errors)")
    let option = account == "one" ? "" : " --account two"
    #expect(await fixture.run("sync", "invoices", "--account", account).status == .done)
    for command in [["sync", "invoices"], ["sync", "all"]] {
      let ending = await fixture.run(command + ["--full", "--account", account])
      #expect(
        ending.errors.hasSuffix("--full --allow-mass-deletion\(option)\n"), "\(ending.errors)")
    }
    for command in [["sync", "invoices"], ["sync", "all"], ["sync", "all", "--all-accounts"]] {
      for _ in 0..<2 {
        fixture.server.answerNext(.reply(CommandFixture.reply("{}", status: "403 No")))
      }
      let names = command.count == 2 ? ["--account", account] : []
      let errors = await fixture.run(command + names).errors
      #expect(
        errors.contains("or pass another: appcore login\(option) --token-stdin\n"), "\(errors)")
    }
  }

  @Test(
    "contradicting options and invalid values are usage errors",
    arguments: [
      ["--since", "2024-01-01", "--full"], ["--limit", "0"], ["--since", "soon"],
      ["--max-wait", "long"],
    ])
  func usage(options: [String]) async throws {
    let fixture = try CommandFixture()
    let ending =
      options.count == 2
      ? await fixture.run("sync", "invoices", options[0], options[1])
      : await fixture.run("sync", "invoices", options[0], options[1], options[2])
    #expect(ending.status == .usage)
  }

  @Test("--verbose and --trace-http write to standard error, and never the token")
  func logs() async throws {
    let fixture = try CommandFixture(["[]", Self.rows(0..<1), Self.rows(0..<1)])
    #expect(await fixture.run("login", "--token-stdin", input: "canary").status == .done)
    let verbose = await fixture.run("sync", "invoices", "-vv", "--json")
    #expect(verbose.errors.contains("sync:") && !verbose.errors.contains("canary"))
    #expect(try verbose.document()["result"] as? String == "complete")
    let traced = await fixture.run("sync", "invoices", "--trace-http")
    #expect(traced.errors.contains("http invoices: ") && !traced.errors.contains("canary"))
  }
}
