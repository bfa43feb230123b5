import ErrorCodes
import Foundation
import TestSupport
import Testing

@testable import AppCoreCommands

/// `setup` with a configuration that exists.
@Suite(.timeLimit(.minutes(10))) struct SetupAccountTests {
  private static let account = #"{"id":"acct_1","object":"list","data":[],"has_more":false}"#
  private static let stripe = "  stripe: { baseURL: \"{server}\" }"

  @Test("setup --account adds an account in a file of its own, and signs in")
  func adds() async throws {
    let fixture = try CommandFixture(
      Array(repeating: Self.account, count: 8), resources: Self.stripe)
    let path = fixture.file("config/appcore/config.yaml")
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let setup = await fixture.run(
      "setup", "--account", "shop", "--no-sync", typed: ["stripe", "sk_test_1"])
    #expect(setup.status == .done && setup.output.contains("Signed in as 'shop'"), "\(setup)")
    let file = fixture.file("config/appcore/accounts.d/shop.yaml")
    #expect(setup.errors.contains("Wrote \(file)."), "\(setup)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("\nprovider: stripe\n") && !text.contains("sk_test"), "\(text)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    #expect(await fixture.run("config", "show").output.contains("shop"))
    let client = await fixture.run(
      "setup", "--account", "work", "--provider", "xero", "--client-id", "c", "--no-input")
    #expect(client.status == .done && client.errors.contains("appcore login --account work"))
    let work = fixture.file("config/appcore/accounts.d/work.yaml")
    #expect(try String(contentsOfFile: work, encoding: .utf8).contains("clientID: c"))
    // Its login must not stay behind.
    let kept = await fixture.run("organisations", "remove", "shop")
    #expect(kept.errors.contains("Sign out first: appcore logout --account shop"), "\(kept)")
    #expect(await fixture.run("logout", "--account", "shop").status == .done)
    #expect(await fixture.run("organisations", "remove", "shop").status == .done)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test("setup asks again for a token that the provider refuses, and goes on")
  func again() async throws {
    let fixture = try CommandFixture(
      Array(repeating: Self.account, count: 8), resources: Self.stripe)
    fixture.server.answerNext(
      .reply(CommandFixture.reply("{}", status: "401 Unauthorized")))
    let setup = await fixture.run(
      "setup", "--account", "shop", "--no-sync", typed: ["stripe", "sk_wrong", "sk_right"])
    #expect(
      setup.errors.components(separatedBy: "[unseen]").count == 3, "\(setup.errors)")
    #expect(setup.status == .done && setup.output.contains("Signed in as 'shop'"), "\(setup)")
  }

  @Test("an account that exists, and a choice of the store, are refused before any question")
  func refused() async throws {
    let fixture = try CommandFixture()
    let existing = await fixture.run("setup", "--account", "default", typed: ["stripe"])
    #expect(existing.status == .configuration && !existing.errors.contains("Which one"))
    #expect(existing.errors.contains("there is an account 'default' already"), "\(existing)")
    let unnamed = await fixture.run("setup", typed: ["stripe"])
    #expect(unnamed.status == .configuration)
    #expect(unnamed.errors.contains("To add an account: appcore setup --account 'NAME'"))
    let store = await fixture.run(
      "setup", "--account", "shop", "--secret-store", "keyring", typed: ["stripe"])
    #expect(store.status == .usage && !store.errors.contains("Which one"), "\(store)")
    #expect(store.errors.contains("config.yaml, set secretStore."), "\(store)")
  }

  @Test("without a store for logins, setup asks for no secret")
  func noStore() async throws {
    let fixture = try CommandFixture()
    let ending = await fixture.run(
      "setup", "--account", "shop", typed: ["stripe", "sk_test_1"], store: AbsentKeyring())
    #expect(ending.status == .tryAgainLater, "\(ending)")
    #expect(!ending.errors.contains("[unseen]") && !ending.errors.contains("Which one"))
  }

  @Test("setup says that another account reads the same organisation, whose key was given twice")
  func same() async throws {
    let fixture = try CommandFixture(
      Array(repeating: Self.account, count: 40), resources: Self.stripe)
    let first = await fixture.run("setup", "--account", "shop", typed: ["stripe", "rk_live_1"])
    #expect(!first.errors.contains("same organisation"), "\(first)")
    let again = await fixture.run("setup", "--account", "again", typed: ["stripe", "rk_live_1"])
    #expect(again.errors.contains("account 'shop' reads the same organisation"), "\(again)")
    #expect(again.errors.contains("appcore logout --account again --forget-invoices"), "\(again)")
  }

  @Test("a configuration beside the usual one says that it shares database and logins")
  func second() async throws {
    let fixture = try CommandFixture(
      Array(repeating: Self.account, count: 8), resources: Self.stripe)
    let setup = await fixture.run(
      "setup", "--config", fixture.file("other.yaml"), "--no-sync",
      typed: ["stripe", "sk_test_1"])
    #expect(setup.errors.contains("the same database and the same store of logins"), "\(setup)")
    let own = await fixture.run(
      "setup", "--force", "--no-sync", typed: ["stripe", "sk_test_1"])
    #expect(!own.errors.contains("the same database"), "\(own)")
  }

  @Test("a token in the place of the client ID is refused, and not shown")
  func misplaced() async throws {
    let fixture = try CommandFixture()
    let setup = await fixture.run(
      "setup", "--account", "shop", "--no-sync", typed: ["square", "EAAAsecret", "", "EAAAsecret"])
    #expect(setup.errors.contains("This looks like an access token"), "\(setup)")
    #expect(setup.errors.contains("instead): [unseen]"), "\(setup)")
    #expect(!(setup.errors + setup.output).contains("EAAAsecret"), "\(setup)")
    let option = await fixture.run(
      "setup", "--account", "other", "--provider", "square", "--client-id", "EAAAsecret",
      "--no-input")
    #expect(option.status == .usage && !option.errors.contains("EAAAsecret"), "\(option)")
  }
}
