import Foundation
import ProviderConformance
import Testing

/// A provider as a front end writes one: this target sees what is public, and nothing else.
@Suite(.serialized) struct ProviderTests {
  private func suite() throws -> ProviderConformance {
    let url = try #require(URL(string: "https://api.ledgerly.example/v1"))
    return ProviderConformance(LedgerlyProvider()) { LedgerlyServer(url: url, invoices: 45) }
  }

  @Test(
    "a front end's provider meets the requirements of every provider", .timeLimit(.minutes(10)),
    arguments: ConformanceCheck.allCases)
  func conformance(check: ConformanceCheck) async throws {
    let findings = try await suite().findings(of: check)
    #expect(findings.isEmpty, "\(findings)")
  }
}
