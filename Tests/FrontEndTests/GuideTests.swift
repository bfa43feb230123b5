import AppCore
import Authentication
import Foundation
import SecureStore
import Testing

/// The guides to front ends show code that is compiled: here, or by the checks of the front ends.
@Suite(.timeLimit(.minutes(10))) struct GuideTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test(
    "every piece of code in a guide is part of a program, word for word",
    arguments: [
      ("UseItFromSwift", "FrontEnds/Consumer/Sources", 4),
      ("UseItFromGTK", "FrontEnds/Gtk/Sources", 3),
      ("MainLoops", "FrontEnds/Gtk/Sources", 2),
      ("OwnSecretStore", "FrontEndTests", 1),
      ("TestingFrontEnds", "FrontEndTests", 1),
    ])
  func codeIsCompiled(guide: String, folder: String, pieces count: Int) throws {
    let catalogue = Self.tests.deletingLastPathComponent()
      .appending(path: "Modules/AppCore/AppCore.docc")
    let text = try String(
      contentsOf: catalogue.appending(path: guide + ".md"), encoding: .utf8)
    let program = try Self.sources(below: folder)
    let pieces = ["```swift\n", "```c\n"].flatMap { fence in
      text.split(separator: fence).dropFirst().compactMap { $0.split(separator: "\n```").first }
    }
    #expect(pieces.count >= count)
    for piece in pieces { #expect(program.contains(piece), "\(piece)") }
  }

  private static func sources(below folder: String) throws -> String {
    let url = tests.appending(path: folder)
    let files = FileManager.default.enumerator(atPath: url.path(percentEncoded: false))
    var text = ""
    while let file = files?.nextObject() as? String {
      guard file.hasSuffix(".swift") || file.hasSuffix(".c") else { continue }
      text += try String(contentsOf: url.appending(path: file), encoding: .utf8) + "\n"
    }
    return text
  }

  @Test("a front end's own store keeps the logins, and a locked one signs no account out")
  func ownStore() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      .path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = VaultStore(name: UUID().uuidString, isLocked: true)
    let core = try testCore(at: "http://127.0.0.1:1", below: folder, store: store)
    let error = await #expect(throws: AuthenticationError.self) {
      _ = try await core.authenticator.status(of: "default")
    }
    #expect(error?.recoverySuggestion == "Unlock the keyring, then try again.")
    try await store.unlock()
    #expect(try await core.authenticator.status(of: "default").state == .signedOut)
    let key = SecretKey(service: "other", account: "a")
    try await store.store(Secret("s"), for: key, label: "l")
    #expect(try await store.secret(for: key) == Secret("s"))
    #expect(try await store.removeSecret(for: key))
    #expect(try await store.checkAvailability().isLocked == false)
    try await core.close()
  }
}
