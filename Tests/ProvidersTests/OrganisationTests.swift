import Testing

@testable import Providers

/// The organisations that a text names.
@Suite(.timeLimit(.minutes(1))) struct OrganisationTests {
  private static let found = [
    Organisation(id: "1", name: "Ada Ltd"), Organisation(id: "2", name: "ada ltd"),
    Organisation(id: "ADA LTD", name: "Third"), Organisation(id: "4", name: nil),
  ]

  @Test(
    "an identifier counts before a name, and a name in any case",
    arguments: [
      ("1", ["1"]), ("Ada Ltd", ["1", "2"]), ("ADA LTD", ["ADA LTD"]), ("third", ["ADA LTD"]),
      ("Ada", []), ("", []),
    ])
  func named(text: String, ids: [String]) {
    #expect(Self.found.named(text).map(\.id) == ids)
  }
}
