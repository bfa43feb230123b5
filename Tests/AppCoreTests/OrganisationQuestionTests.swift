import Documents
import Models
import Storage
import Sync
import TestSupport
import Testing

@testable import AppCore

/// The questions after a sign-in whose organisation the provider does not name.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct OrganisationQuestionTests {
  private static let rows = """
    [{"id":"1","state":"open","currency":"EUR","total":"1"},
     {"id":"2","state":"open","currency":"EUR","total":"1"}]
    """

  @Test("a new sign-in asks about every account that uses the login and holds records")
  func everyAccount() async throws {
    let scene = try SharedLoginScene([Self.rows, Self.rows])
    let core = try scene.core(
      "firm: { provider: acme, tenantID: a }", "shop: { login: firm, tenantID: b }",
      "empty: { login: firm, tenantID: c }", "other: { provider: acme }")
    try await scene.signIn("firm", to: core)
    #expect(try await core.organisationQuestions(afterSignInOf: "firm").isEmpty)
    for account in ["firm", "shop"] {
      _ = try await core.sync(.invoices, account: account).run()
    }
    #expect(try await core.organisationQuestions(afterSignInOf: "firm").isEmpty)
    try await scene.signIn("firm", to: core)
    // Whichever of the accounts the user named.
    for account in ["firm", "shop", "empty"] {
      let questions = try await core.organisationQuestions(afterSignInOf: account)
      #expect(questions.map(\.account) == ["firm", "shop"])
      #expect(questions.allSatisfy { $0.holding == "2 invoices" })
    }
    let first = try #require(try await core.organisationQuestions(afterSignInOf: "firm").first)
    try await core.confirm(first)
    #expect(
      try await core.organisationQuestions(afterSignInOf: "firm").map(\.account) == ["shop"])
    #expect(try await core.organisationQuestions(afterSignInOf: "other").isEmpty)
  }

  @Test("no file is fetched with a sign-in that may belong to another organisation")
  func files() async throws {
    let scene = try SharedLoginScene([Self.rows, "%PDF-1.4\n%%EOF\n", "%PDF-1.4\n%%EOF\n"])
    let core = try scene.core("firm: { provider: acme }")
    try await scene.signIn("firm", to: core)
    _ = try await core.sync(.invoices, account: "firm").run()
    try await scene.signIn("firm", to: core)
    await #expect {
      _ = try await core.fetchDocuments(account: "firm")
    } throws: { error in
      if case SyncError.organisationUnproven("firm", "2 invoices") = error { true } else { false }
    }
    #expect(scene.server.requests.count == 1)
    try await core.confirm(#require(try await core.organisationQuestion(account: "firm")))
    let report = try await core.fetchDocuments(account: "firm")
    #expect(report.stored == 2, "\(report)")
  }

  @Test("a database that cannot be read causes no question, since the sign-in is stored")
  func unreadable() async throws {
    let scene = try SharedLoginScene([Self.rows])
    let core = try scene.core("firm: { provider: acme }")
    try await scene.signIn("firm", to: core)
    _ = try await core.sync(.invoices, account: "firm").run()
    try await core.database().close()
    try await scene.signIn("firm", to: core)
    await #expect(throws: StorageError.self) {
      _ = try await core.organisationQuestion(account: "firm")
    }
    #expect(try await core.organisationQuestions(afterSignInOf: "firm").isEmpty)
  }
}
