import Authentication
import Foundation
import Models
import Storage
import Sync
import TestSupport
import Testing

@testable import AppCore

/// The logins that a sign-out of all accounts ends.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SignOutOfAllTests {
  private static let rows = #"[{"id":"1","state":"open","currency":"EUR","total":"1"}]"#

  @Test("every login ends once, with the accounts that share it, and so does an unused one")
  func logins() async throws {
    let scene = try SharedLoginScene()
    let own = try scene.core(
      "firm: { provider: acme, tenantID: a }", "shop: { provider: acme, tenantID: b }")
    for account in ["firm", "shop"] { try await scene.signIn(account, to: own) }
    try await own.close()
    // The account's own login is of no use once it shares another.
    let core = try scene.core(
      "firm: { provider: acme, tenantID: a }", "shop: { login: firm, tenantID: b }",
      "other: { provider: acme }")
    let outcome = try await core.signOutOfAllAccounts()
    #expect(outcome.logins.map(\.account) == ["firm", "other"])
    #expect(outcome.logins.map(\.sharedBy) == [["shop"], []])
    #expect(outcome.logins.map(\.report.wasSignedIn) == [true, false])
    #expect(outcome.unusedLogins == ["shop"])
    for account in ["firm", "shop", "other"] {
      #expect(try await core.authenticator.status(of: account).state == .signedOut)
    }
    #expect(try await core.accountsWithUnusedLogin().isEmpty)
  }

  @Test("another store can be configured afterwards")
  func store() async throws {
    let scene = try SharedLoginScene()
    let core = try scene.core("firm: { provider: acme }")
    let memory = scene.directories.state + "/secret-store"
    try Data("keyring\n".utf8).write(to: URL(filePath: memory))
    _ = try await core.signOutOfAllAccounts()
    #expect(!FileManager.default.fileExists(atPath: memory))
  }

  @Test(
    "records stay, unless those of every account are to be forgotten", arguments: [false, true])
  func records(areForgotten: Bool) async throws {
    let scene = try SharedLoginScene([Self.rows, Self.rows])
    let core = try scene.core(
      "firm: { provider: acme, tenantID: a }", "shop: { login: firm, tenantID: b }")
    try await scene.signIn("firm", to: core)
    for account in ["firm", "shop"] {
      _ = try await core.sync(.invoices, account: account).run()
    }
    _ = try await core.signOutOfAllAccounts(forgetsRecords: areForgotten)
    for account in ["firm", "shop"] {
      let count = try await core.database().contents(account: account).invoices
      #expect(count == (areForgotten ? 0 : 1))
    }
  }

  @Test("a login that cannot be ended is reported, and the others are ended all the same")
  func refused() async throws {
    let scene = try SharedLoginScene()
    let own = try scene.core(
      "first: { provider: acme }", "second: { provider: acme }", "third: { provider: acme }")
    for account in ["first", "second", "third"] { try await scene.signIn(account, to: own) }
    try await own.close()
    // The same accounts with a client for one of them, so that its login is another's.
    let core = try scene.core(
      "first: { provider: acme }", "second: { provider: acme, clientID: other }",
      "third: { provider: acme }")
    let memory = scene.directories.state + "/secret-store"
    try Data("keyring\n".utf8).write(to: URL(filePath: memory))
    let outcome = try await core.signOutOfAllAccounts()
    #expect(outcome.logins.map(\.account) == ["first", "third"])
    #expect(outcome.logins.map(\.report.wasSignedIn) == [true, true])
    #expect(outcome.failures.map(\.account) == ["second"])
    #expect(outcome.failures.first?.error is ConfigurationError)
    // A login is left in the store.
    #expect(FileManager.default.fileExists(atPath: memory))
    let forced = try await core.signOutOfAllAccounts(removesOtherLogins: true)
    #expect(forced.failures.isEmpty && !FileManager.default.fileExists(atPath: memory))
  }

  @Test("records that cannot be deleted do not hide that the login was ended")
  func lockedRecords() async throws {
    let scene = try SharedLoginScene([Self.rows])
    let core = try scene.core("firm: { provider: acme }")
    try await scene.signIn("firm", to: core)
    _ = try await core.sync(.invoices, account: "firm").run()
    try await core.database().close()
    let outcome = try await core.signOutOfAllAccounts(forgetsRecords: true)
    #expect(outcome.logins.map(\.account) == ["firm"])
    #expect(outcome.logins.first?.areRecordsForgotten == false)
    #expect(outcome.failures.first?.error is StorageError)
  }

  @Test("a sign-out of one account reports it, even if its records cannot be deleted")
  func lockedRecordsOfOne() async throws {
    let scene = try SharedLoginScene([Self.rows])
    let core = try scene.core("firm: { provider: acme }", "shop: { login: firm, tenantID: b }")
    try await scene.signIn("firm", to: core)
    _ = try await core.sync(.invoices, account: "firm").run()
    try await core.database().close()
    let outcome = try await core.signOut("firm", forgetsRecords: true)
    #expect(outcome.logins.map(\.account) == ["firm"])
    #expect(outcome.logins.map(\.sharedBy) == [["shop"]])
    #expect(outcome.logins.first?.report.wasSignedIn == true)
    #expect(outcome.logins.first?.areRecordsForgotten == false)
    #expect(outcome.failures.first?.error is StorageError)
  }
}
