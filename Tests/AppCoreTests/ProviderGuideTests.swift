import Providers
import TestSupport
import Testing

@testable import AppCore

/// The tables of the guides that say what the built-in providers state about themselves.
@Suite(.timeLimit(.minutes(1))) struct ProviderGuideTests {
  private let providers = CoreConfiguration().allProviders
    .filter { !$0.profile.isFromDocumentation }

  private func check(
    _ guide: String, _ header: [String], of providers: [any Provider]? = nil,
    row: (any Provider) -> [String]
  ) throws {
    let providers = providers ?? self.providers
    try WrittenPart(of: guide, by: "ProviderGuideTests")
      .check(WrittenPart.table(header, providers.map(row)))
  }

  @Test("the README's table says of each provider what its profile says")
  func readme() throws {
    try check("README.md", ["provider", "fetches", "a sync reads", "sign-in"]) {
      [$0.profile.title, $0.profile.records, $0.profile.reads, $0.profile.signIn]
    }
    // The README says so below the table.
    #expect(providers.allSatisfy { $0.profile.deviceAuthorizationURL == nil })
  }

  @Test("the guide to providers lists each with its name in the configuration")
  func guide() throws {
    let header = ["provider", "name", "records", "a sync reads", "sign-in"]
    try check("Modules/AppCore/AppCore.docc/Providers.md", header) {
      let profile = $0.profile
      return [profile.title, "`\($0.name)`", profile.records, profile.reads, profile.signIn]
    }
  }

  @Test("the guide to described providers lists those that ship")
  func described() throws {
    let shipped = CoreConfiguration().allProviders.filter(\.profile.isFromDocumentation)
    let header = ["provider", "name", "records", "a sync reads", "sign-in"]
    try check("Modules/AppCore/AppCore.docc/DescribedProviders.md", header, of: shipped) {
      let profile = $0.profile
      return [profile.title, "`\($0.name)`", profile.records, profile.reads, profile.signIn]
    }
  }

  @Test("the guide to the first run says what setup asks for at each provider")
  func questions() throws {
    let header = ["provider", "setup asks for"]
    try check("Modules/AppCore/AppCore.docc/GettingStarted.md", header) {
      [$0.profile.title, Self.questions($0.profile)]
    }
  }

  private static func questions(_ profile: ProviderProfile) -> String {
    guard profile.signsInWithBrowser else { return "your " + profile.tokenName }
    let secret =
      switch profile.hasClientSecret {
      case true?: " and the client secret"
      case false?: ""
      case nil: " and the client secret, if there is one,"
      }
    let token = profile.takesToken ? ", or your " + profile.tokenName : ""
    return "the \(profile.clientIDName)\(secret) of your app\(token)"
  }
}
