import Authentication
import Providers
import SecureStore
import TestSupport
import Testing

@testable import AppCore

/// The organisations of several logins.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ReachedOrganisationsTests {
  private let folder: TemporaryDirectory
  private let server: ScriptedServer
  private let core: ApplicationCore

  /// Creates a core with the logins `firm` and `other`, and one that lists no organisations.
  init() throws {
    folder = try TemporaryDirectory()
    let body = """
      [{"tenantId":"11","tenantName":"Acme","tenantType":"ORGANISATION"},\
      {"tenantId":"22","tenantName":"Bolt","tenantType":"ORGANISATION"},\
      {"tenantId":"33","tenantName":"BOLT","tenantType":"ORGANISATION"}]
      """
    server = try ScriptedServer([.body(body)])
    let yaml = """
      provider: xero
      providers: { xero: { baseURL: "\(server.url)" } }
      accounts:
        firm: { clientID: c }
        acme: { login: firm, tenantID: "11" }
        other: { clientID: c }
        shop: { provider: square }
      """
    core = try ApplicationCore(CoreConfiguration(yaml: yaml), in: folder)
  }

  private func signIn() async throws {
    let tokens = try #require(TokenSet(pasted: "token"))
    _ = try await core.authenticator.setTokens(tokens, for: "firm")
    try await core.chooseOrganisation(Organisation(id: "22", name: "Bolt"), account: "firm")
  }

  @Test("a login that cannot be asked stops no other, and is reported with its error")
  func oneFails() async throws {
    try await signIn()
    #expect(core.configuration.loginsListingOrganisations == ["firm", "other"])
    var asked: [String] = []
    let reached = try await core.reachedOrganisations { asked.append($0) }
    #expect(asked == ["firm", "other"] && reached.asked == asked)
    #expect(reached.found.map(\.organisation.id) == ["11", "22", "33"])
    #expect(reached.found.map(\.account) == ["acme", "firm", nil])
    #expect(reached.failures.map(\.login) == ["other"])
    guard case AuthenticationError.signInRequired? = reached.failures.first?.error else {
      Issue.record("\(reached.failures)")
      return
    }
  }

  @Test("the login of a named account is asked alone, and one that lists none not at all")
  func named() async throws {
    try await signIn()
    let reached = try await core.reachedOrganisations(ofLogins: ["acme"])
    #expect(reached.asked == ["firm"] && reached.failures.isEmpty && reached.found.count == 3)
    #expect(try await core.reachedOrganisations(ofLogins: ["shop"]).asked.isEmpty)
    await #expect(throws: AuthenticationError.self) {
      _ = try await core.reachedOrganisations(ofLogins: ["nobody"])
    }
  }

  @Test("a text names an organisation by its identifier, or by its name, whatever its case")
  func matches() async throws {
    try await signIn()
    let reached = try await core.reachedOrganisations(ofLogins: ["firm"])
    let found = reached.found
    try #require(found.count == 3)
    #expect(reached.organisation(named: "ACME") == .only(found[0]))
    #expect(reached.organisation(named: "33") == .only(found[2]))
    #expect(reached.organisation(named: "bolt") == .several([found[1], found[2]]))
    #expect(reached.organisation(named: "Cray") == .missing)
  }
}
