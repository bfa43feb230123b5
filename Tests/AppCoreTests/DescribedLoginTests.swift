import Authentication
import Providers
import Sync
import Testing

@testable import AppCore

/// The login settings of a described provider beyond its addresses.
@Suite(.timeLimit(.minutes(10))) struct DescribedLoginTests {
  private func load(_ line: String, path: String = "/{tenantID}/invoices") throws
    -> CoreConfiguration
  {
    let yaml = """
      accounts: { default: { provider: acme } }
      providers:
        acme:
          kind: rest
          baseURL: https://api.acme.example
          authorizationURL: https://login.acme.example/authorize
          tokenURL: https://login.acme.example/token
          \(line)
          resources:
            invoices:
              path: "\(path)"
              rows: .
              fields: { id: id, type: { value: invoice }, status: state, currency: currency, total: total }
      """
    return try CoreConfiguration(yaml: yaml)
  }

  private func provider(_ line: String) throws -> any Provider {
    try load(line, path: "/invoices").provider("acme")
  }

  @Test("a described provider's profile says what its description says")
  func profile() throws {
    let device = try provider("deviceAuthorizationURL: https://login.acme.example/device").profile
    #expect(device.title == "acme" && device.signIn == "browser, or device")
    #expect(device.records == "invoices" && device.reads == "everything")
    #expect(try provider("").profile.signIn == "browser")
  }

  @Test(
    "a spent refresh token is refused, forbidden or accepted for a time",
    arguments: [
      ("", .refused), ("refreshTokenReplay: refused", .refused),
      ("refreshTokenReplay: forbidden", .forbidden),
      ("refreshTokenReplay: 30m", .accepted(for: .seconds(1_800))),
    ] as [(String, RefreshTokenReplay)])
  func replay(line: String, expected: RefreshTokenReplay) throws {
    #expect(try provider(line).profile.refreshTokenReplay == expected)
  }

  @Test("a renewal names the redirect URI only if the description says so")
  func redirectURI() throws {
    #expect(try !provider("").profile.refreshSendsRedirectURI)
    #expect(try provider("refreshSendsRedirectURI: true").profile.refreshSendsRedirectURI)
  }

  @Test("an account need not name an organisation that the sign-in names")
  func tenant() throws {
    let configuration = try load("redirectTenantParameter: business")
    let provider = try configuration.provider("acme")
    #expect(provider.profile.redirectTenantParameter == "business")
    expectMistake("tenantID is missing") { try load("scopes: [a]") }
  }

  @Test(
    "an impossible description is refused with line, key and fix",
    arguments: [
      ("refreshTokenReplay: never", "/invoices", ".refreshTokenReplay", "such as 30m"),
      ("refreshSendsRedirectURI: maybe", "/invoices", ".refreshSendsRedirectURI", "true or false"),
      (
        "redirectTenantParameter: state", "/{tenantID}/i", ".redirectTenantParameter",
        "another meaning"
      ),
      (
        "redirectTenantParameter: realm", "/invoices", ".redirectTenantParameter",
        "uses {tenantID}"
      ),
    ])
  func refused(line: String, path: String, key: String, cure: String) {
    expectMistake(line: 8, key: "providers.acme" + key, cure) { try load(line, path: path) }
  }
}
