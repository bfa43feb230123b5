import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands

/// The output of `status` and `doctor` when something is wrong.
@Suite(.timeLimit(.minutes(10))) struct StateTests {
  private static let rows =
    #"[{"id":"1","number":"A-1","status":"open","day":"2024-05-01","total":"1"}]"#

  @Test("status ends with 1 while an account has to be signed in, and with 0 afterwards")
  func needsUser() async throws {
    let fixture = try CommandFixture()
    let before = await fixture.run("status")
    #expect(before.status == .unclassified && before.output.contains("login      signed-out"))
    #expect(before.output.contains("config       ") && before.output.contains("; never synced"))
    await fixture.logIn()
    #expect(await fixture.run("status", "--account", "default").status == .done)
    #expect(await fixture.run("status", "--account", "nobody").status == .configuration)
    #expect(await fixture.run("status", "--runs", "0").status == .usage)
  }

  @Test("status names the cause of a failed run, and lists the runs before it")
  func failedRun() async throws {
    let fixture = try await CommandFixture.loggedIn([Self.rows, "{}"])
    #expect(await fixture.run("sync", "invoices").status == .done)
    #expect(await fixture.run("sync", "invoices").status == .unreadableData)
    let text = await fixture.run("status", "--runs", "5").output
    let lines = text.split(separator: "\n").map(String.init)
    let line = try #require(
      lines.first { $0.hasPrefix("  invoices   1 excluding deleted; failed ") })
    #expect(line.contains("cannot read the provider's response"), "\(text)")
    #expect(lines.contains { $0.hasPrefix("    ") && $0.contains("  complete  1 new") }, "\(text)")
    let document = try await fixture.run("status", "--json", "--runs", "5").document()
    let account = try #require((document["accounts"] as? [[String: Any]])?.first)
    let last = try #require(account["lastSync"] as? [String: Any])
    #expect(last["state"] as? String == "failed" && last["result"] as? String == "failed")
    #expect(last["errorCode"] as? String == "unreadable-data" && last["cause"] is String)
    #expect(account["stored"] as? [String: Int] == ["invoices": 1])
    #expect((account["runs"] as? [String: [Any]])?["invoices"]?.count == 2)
    #expect(account["needsUser"] as? Bool == false)
    let doctor = await fixture.run("doctor").output
    #expect(doctor.contains("WARN sync default invoices: the last run failed: "), "\(doctor)")
  }

  @Test("records are old a week after the last complete sync: status and every list say so")
  func oldRecords() async throws {
    let fixture = try await CommandFixture.loggedIn(["{}"])
    let then = Timestamp(Date().addingTimeInterval(-21 * 86_400))
    try await fixture.store([try SampleRecords.invoice("a")], at: then)
    let status = await fixture.run("status")
    #expect(status.status == .unclassified && status.output.contains("complete 21 days ago"))
    #expect(
      status.output.contains("  to do      Read the invoices with: appcore sync invoices\n"),
      "\(status.output)")
    let document = try await fixture.run("status", "--json").document()
    let account = try #require((document["accounts"] as? [[String: Any]])?.first)
    #expect(account["old"] as? [String] == ["invoices"] && account["needsUser"] as? Bool == true)
    #expect((account["completeAt"] as? [String: String])?.keys.sorted() == ["invoices"])
    let note = "appcore: no sync of invoices was complete for 21 days; see: appcore status\n"
    for command in [
      ["invoices", "list"], ["invoices", "list", "--json"], ["invoices", "summary"],
      ["invoices", "export"], ["report", "--html", "-"],
    ] {
      #expect(await fixture.run(command).errors == note, "\(command)")
    }
    #expect(await fixture.run("invoices", "list", "--quiet").errors.isEmpty)
    // A failure does not hide when the records were complete.
    #expect(await fixture.run("sync", "invoices").status == .configuration)
    let failed = await fixture.run("status").output
    #expect(failed.contains("; last complete 21 days ago ("), "\(failed)")
  }

  @Test(
    "the age from which records are old is a key of the configuration, or none",
    arguments: [
      ("none", true), ("30d", true), ("36h", false),
    ])
  func maximumAge(value: String, isCurrent: Bool) async throws {
    let fixture = try await CommandFixture.loggedIn(
      configuration: "sync: { maximumAge: \(value) }\naccounts: { default: { provider: acme } }")
    let then = Timestamp(Date().addingTimeInterval(-10 * 86_400))
    try await fixture.store([try SampleRecords.invoice("a")], at: then)
    #expect((await fixture.run("status").status == .done) == isCurrent)
    #expect(await fixture.run("invoices", "list").errors.isEmpty == isCurrent)
    #expect(await fixture.run("config", "show").output.contains("maximumAge: \(value)"))
  }

  @Test("a sync says that a corrected description made it read everything again")
  func corrected() async throws {
    let fixture = try await CommandFixture.loggedIn([Self.rows, Self.rows])
    #expect(await fixture.run("sync", "invoices").status == .done)
    let file = fixture.file("config/appcore/config.yaml")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing("status: status", with: "status: { path: status, map: { open: paid } }")
      .write(toFile: file, atomically: true, encoding: .utf8)
    let ending = await fixture.run("sync", "invoices")
    let line = "Everything was read again, because the description of acme, or the"
    #expect(ending.errors.contains(line) || ending.output.contains(line), "\(ending)")
  }

  @Test("a failure of the store of logins is short in a run, and told in full where it holds")
  func storeFailure() async throws {
    let fixture = try await CommandFixture.loggedIn()
    #expect(await fixture.run("sync", "invoices", store: AbsentKeyring()).status == .tryAgainLater)
    let absent = await fixture.run("status", store: AbsentKeyring()).output
    #expect(absent.contains("logins       not available: cannot use the keyring"), "\(absent)")
    let text = await fixture.run("status").output
    #expect(text.contains("the logins could not be read\n"), "\(text)")
    #expect(!text.contains("cannot use the keyring"), "\(text)")
  }

  @Test("doctor reports a mistake in the configuration besides the folders")
  func configuration() async throws {
    let fixture = try CommandFixture(configuration: "sync: { maximum: 3 }")
    let ending = await fixture.run("doctor")
    #expect(ending.status == .unclassified && ending.errors.isEmpty)
    #expect(ending.output.contains("FAIL configuration: "), "\(ending.output)")
    #expect(ending.output.contains("ok   lock folder: "), "\(ending.output)")
  }

  @Test("a state folder that cannot be written fails in doctor, and stops no command that reads")
  func stateFolder() async throws {
    let fixture = try CommandFixture()
    let variables = ["XDG_STATE_HOME": "/proc/none"]
    let doctor = await fixture.run("doctor", variables: variables)
    #expect(doctor.status == .unclassified)
    #expect(
      doctor.output.contains("FAIL lock folder: /proc/none/appcore cannot be written: "),
      "\(doctor.output)")
    #expect(await fixture.run("invoices", "list", variables: variables).status == .done)
    #expect(await fixture.run("status", variables: variables).output.contains("signed-out"))
    #expect(await fixture.run("sync", "invoices", variables: variables).status == .configuration)
  }

  @Test("doctor writes to the database's folder, and makes one request for each account")
  func requests() async throws {
    // The address of the sign-in is asked before each request.
    let fixture = try CommandFixture(["", Self.rows, "", "<html>"])
    await fixture.logIn()
    let works = await fixture.run("doctor")
    #expect(
      works.output.contains(
        "ok   request default: the provider answers; invoices on the first page: 1"),
      "\(works.output)")
    let fails = await fixture.run(
      "doctor", variables: ["APPCORE_DATABASE": "/proc/x.sqlite"])
    #expect(fails.status == .unclassified)
    #expect(fails.output.contains("FAIL request default: "), "\(fails.output)")
    #expect(
      fails.output.contains("FAIL database folder: /proc cannot be written: "), "\(fails.output)")
  }

  @Test("status and doctor end in 1 for another organisation's records, with the way out")
  func otherOrganisation() async throws {
    let reply = #"{"id":"acct_1","object":"list","data":[],"has_more":false}"#
    let fixture = try CommandFixture(
      Array(repeating: reply, count: 30),
      configuration: "accounts: { default: { provider: stripe } }",
      resources: "  stripe: { baseURL: \"{server}\" }")
    try await fixture.store([try SampleRecords.invoice("a")])
    #expect(await fixture.run("login", "--token-stdin", input: "sk_test_2").status == .done)
    let sync = await fixture.run("sync", "invoices", "--json")
    let code = try sync.failure()["code"] as? String
    #expect(code == "other-organisation", "\(sync.errors)")
    let status = await fixture.run("status")
    #expect(status.status == .unclassified)
    let remedy = "appcore logout --account default --forget-invoices"
    #expect(status.output.contains("  to do      Use another account name, or"), "\(status.output)")
    #expect(status.output.contains(remedy), "\(status.output)")
    let document = try await fixture.run("status", "--json").document()
    let entry = try #require((document["accounts"] as? [[String: Any]])?.first)
    #expect((entry["lastSync"] as? [String: Any])?["errorCode"] as? String == code)
    let doctor = await fixture.run("doctor")
    #expect(doctor.status == .unclassified)
    #expect(doctor.output.contains("FAIL sync default invoices: "), "\(doctor.output)")
    #expect(doctor.output.contains(remedy) && !doctor.output.contains("server default"))
  }
}
