import Foundation
import Testing

@testable import AppCore

/// The facts about providers that a user reads before choosing one.
@Suite(.timeLimit(.minutes(10))) struct ProviderProfileTests {
  @Test("the README's table says of each provider what its profile says")
  func readme() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    for profile in CoreConfiguration().providerProfiles {
      let row = [profile.displayName, profile.records, profile.reads, profile.signIn]
      #expect(text.contains("\n| " + row.joined(separator: " | ") + " |\n"), "\(row)")
    }
  }
}
