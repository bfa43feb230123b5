import Foundation
import ProviderConformance
import Providers
import Sandbox
import Sync
import Testing

/// Every provider of ours holds what every provider has to.
@Suite(.timeLimit(.minutes(10))) struct ProviderConformanceTests {
  @Test("the sandbox and the suite play every built-in provider, by its name in the configuration")
  func lists() {
    let names = BuiltInProviders.all.map(\.name)
    #expect(Set(SandboxProvider.allCases.map(\.rawValue)) == Set(names))
    #expect(SandboxShape.all.map(\.provider.name) == names)
    #expect(SandboxShape.all.map(\.played.rawValue) == names)
  }

  @Test(
    "a built-in provider meets the requirements of every provider", arguments: SandboxShape.all,
    ConformanceCheck.allCases)
  func builtIn(shape: SandboxShape, check: ConformanceCheck) async throws {
    let provider = PagedProvider(provider: shape.provider, paged: shape.paged)
    let suite = ProviderConformance(provider) { try await PlayedSandbox(shape) }
    let findings = try await suite.findings(of: check)
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test(
    "a described provider meets the requirements of every provider, with every kind of paging",
    arguments: RESTShape.all.flatMap { shape in shape.checks.map { (shape, $0) } })
  func described(shape: RESTShape, check: ConformanceCheck) async throws {
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    let suite = ProviderConformance(try PlayedREST.provider(shape, at: url)) {
      PlayedREST(url: url, shape: shape)
    }
    let findings = try await suite.findings(of: check)
    #expect(findings.isEmpty, "\(findings)")
  }
}
