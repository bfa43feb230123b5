import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(10))) struct LoginCommandTests {
  @Test("a pasted token signs an account in, and standard output is one document")
  func token() async throws {
    let fixture = try CommandFixture(["[]", "[]"])
    let ending = await fixture.run("login", "--token-stdin", "--json", input: " key\n")
    #expect(ending.status == .done && ending.errors.isEmpty)
    let document = try ending.document()
    #expect(document["schemaVersion"] as? Int == 1 && document["account"] as? String == "default")
    #expect(document["expiresAt"] is NSNull)
    let text = await fixture.run("login", "--token-stdin", input: "key")
    #expect(text.output == "Signed in as 'default' at acme.\n")
    #expect(fixture.server.requests.count == 2)
    #expect(fixture.server.requests.allSatisfy { $0.contains("Bearer key") })
  }

  @Test("a login without a token on standard input is a usage error")
  func noToken() async throws {
    let ending = try await CommandFixture().run("login", "--token-stdin", input: "\n")
    #expect(ending.status == .usage && ending.errors.contains("no token"))
  }

  @Test("a provider without a sign-in names the command that passes a token")
  func noSignIn() async throws {
    let ending = try await CommandFixture().run("login", "--json")
    #expect(ending.status == .configuration && ending.output.isEmpty)
    let failure = try ending.failure()
    #expect(failure["code"] as? String == "configuration")
    let message = try #require(failure["message"] as? String)
    #expect(message.contains("no sign-in"))
    let hint = try #require(failure["hint"] as? String)
    #expect(hint.contains("appcore login --account default --token-stdin"))
  }

  @Test("a login without a client identifier names every way to set it")
  func noClient() async throws {
    let fixture = try CommandFixture(
      configuration: "provider: xero\naccounts: { default: {}, shop: {} }")
    let ending = await fixture.run("login", "--no-browser")
    #expect(ending.status == .configuration)
    for place in ["Set accounts.default.clientID or APPCORE_CLIENT_ID to", "at Xero"] {
      #expect(ending.errors.contains(place), "\(ending.errors)")
    }
    let other = await fixture.run("login", "--no-browser", "--account", "shop")
    #expect(other.errors.contains("Set accounts.shop.clientID to"), "\(other.errors)")
    #expect(!other.errors.contains("APPCORE_CLIENT_ID"), "that account ignores it")
    for command in [["status"], ["doctor"]] {
      let ending = await fixture.run(command)
      #expect(ending.status == .unclassified)
      #expect(ending.output.contains("Set accounts.default.clientID"), "\(ending.output)")
      #expect(!ending.output.contains("appcore login"), "a login would fail: \(ending.output)")
    }
  }

  @Test("a client secret that others can read is refused with the command that protects it")
  func readableSecret() async throws {
    let fixture = try CommandFixture()
    let secret = try fixture.home.write("s", to: "secret")
    let file = try fixture.home.write(
      "accounts: { default: { provider: xero, clientID: c, clientSecretFile: \(secret) } }",
      to: "secret.yaml")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: secret)
    let ending = await fixture.run("login", "--no-browser", "--config", file)
    #expect(ending.status == .configuration && ending.output.isEmpty)
    #expect(ending.errors.contains("run: chmod 600 \(secret)"), "\(ending.errors)")
  }

  @Test("a login with several accounts requires a name, even if an earlier login is stored")
  func noChoice() async throws {
    let fixture = try CommandFixture(["[]"])
    await fixture.logIn()
    let file = try fixture.home.write(
      "accounts:\n  home: { provider: xero, clientID: c }\n  work: { provider: xero, clientID: c }\n",
      to: "several.yaml")
    let ending = await fixture.run("login", "--no-browser", "--config", file)
    #expect(ending.status == .configuration)
    #expect(ending.errors.contains("no account is the default; available: home, work"))
    #expect(ending.errors.contains("Pass --account NAME"), "\(ending.errors)")
  }

  @Test("an unknown provider of the command line is reported with the available ones")
  func unknownProvider() async throws {
    let ending = try await CommandFixture().run("login", "--provider", "xerox", "--client-id", "c")
    #expect(ending.status == .configuration)
    #expect(ending.errors.contains("unknown provider 'xerox'; available: xero, quickbooks"))
    #expect(ending.errors.contains(", acme"))
  }

  @Test(
    "methods that exclude each other are a usage error",
    arguments: [
      ["--device", "--token-stdin"], ["--no-input"], ["--no-input", "--device"],
    ])
  func exclusive(options: [String]) async throws {
    let fixture = try CommandFixture()
    let ending =
      options.count == 1
      ? await fixture.run("login", options[0])
      : await fixture.run("login", options[0], options[1])
    #expect(ending.status == .usage && !ending.errors.isEmpty)
  }

  @Test("a client that the configuration lacks is refused with the keys to add")
  func otherClient() async throws {
    let fixture = try CommandFixture()
    await fixture.logIn()
    for options in [["--token-stdin"], ["--client-credentials"]] {
      let ending = await fixture.run(
        "login", options[0], "--client-id", "c", "--client-secret-file", "f", "-q", input: "key")
      #expect(ending.status == .configuration && ending.output.isEmpty)
      #expect(ending.errors.contains("accounts.default"), "\(ending.errors)")
      let added = "'clientID: c' and 'clientSecretFile: \(fixture.home.path)/f'"
      #expect(ending.errors.contains("First set below accounts.default: \(added)."))
    }
    #expect(await fixture.run("status").output.contains("valid"))
  }

  @Test("another provider than the configured one is refused before any address is opened")
  func otherProvider() async throws {
    let fixture = try CommandFixture(
      configuration: "accounts: { default: { provider: xero, clientID: c } }")
    let ending = await fixture.run("login", "--provider", "quickbooks", "--no-browser")
    #expect(ending.status == .configuration && !ending.errors.contains("visit"))
    #expect(ending.errors.contains("provider: quickbooks"), "\(ending.errors)")
  }

  @Test("a provider without device sign-in is named as such")
  func noDevice() async throws {
    let fixture = try CommandFixture(
      configuration: "accounts: { qb: { provider: quickbooks, clientID: c } }")
    let ending = await fixture.run("login", "--device", "--account", "qb")
    #expect(ending.status == .configuration)
    #expect(
      ending.errors.contains("QuickBooks has no device sign-in\n")
        && ending.errors.contains("Sign in with a browser: appcore login --account qb"),
      "\(ending.errors)")
  }

  @Test("a second sign-in of an unknown organisation is synced once the user confirms it")
  func organisation() async throws {
    let rows = #"[{"id":"1","number":"A-1","status":"open","day":"2024-05-01","total":"1"}]"#
    let fixture = try CommandFixture([rows, "[]", "[]", rows])
    await fixture.logIn()
    #expect(await fixture.run("sync", "invoices").status == .done)
    let unanswered = await fixture.run("login", "--token-stdin", input: "other")
    #expect(unanswered.status == .done)
    #expect(unanswered.errors.contains("--same-organisation"))
    let refused = await fixture.run("sync", "invoices", "--json")
    #expect(try refused.failure()["code"] as? String == "organisation-unproven")
    let answered = await fixture.run("login", "--token-stdin", input: "third", answer: true)
    #expect(answered.status == .done && answered.errors.hasSuffix("[y/N] \n"), "\(answered.errors)")
    #expect(await fixture.run("sync", "invoices").status == .done)
  }

  @Test("a logout removes the login, and the records only if requested")
  func logout() async throws {
    let rows = #"[{"id":"1","number":"A-1","status":"open","day":"2024-05-01","total":"1"}]"#
    let fixture = try await CommandFixture.loggedIn([rows])
    #expect(await fixture.run("sync", "invoices").status == .done)
    let first = await fixture.run("logout", "--json")
    let accounts = try #require(try first.document()["accounts"] as? [[String: Any]])
    #expect(first.status == .done && accounts.count == 1)
    #expect(accounts[0]["wasSignedIn"] as? Bool == true)
    #expect(accounts[0]["forgotten"] as? Bool == false)
    #expect(await fixture.run("invoices", "list").output.contains("A-1"))
    let second = await fixture.run("logout", "--forget-invoices")
    #expect(second.output.contains("was not signed in") && second.output.contains("deleted"))
    let none = await fixture.run("invoices", "list")
    #expect(none.status == .done && none.output.isEmpty)
    #expect(none.errors == "No invoices are stored; fetch them with: appcore sync invoices\n")
    #expect(await fixture.run("logout", "--all", "--account", "default").status == .usage)
  }
}
