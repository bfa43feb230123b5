import Foundation
import TestSupport
import Testing

@testable import AppCore

/// The store that holds the logins is not changed by an edit of the configuration.
@Suite(.timeLimit(.minutes(1))) struct SecretStoreMemoryTests {
  @Test("another store than that of the logins is refused with what happened and what to do")
  func changed() throws {
    let folder = try TemporaryDirectory()
    let memory = SecretStoreMemory(path: folder.file("secret-store"))
    try memory.check("keyring")
    memory.remember("encrypted-file:/data/logins: old")
    try memory.check("encrypted-file:/data/logins: old")
    let error = #expect(throws: ConfigurationError.self) { try memory.check("keyring") }
    #expect(
      error?.description == """
        secretStore: earlier logins are in the encrypted file /data/logins: old, but this \
        configuration selects the keyring, which does not have them; appcore stops, because every \
        account would seem signed out
        """)
    #expect(
      error?.fix == """
        Select the old store again. To change it for good, first run appcore logout --all with \
        the old configuration. A second setup beside the first needs a state folder of its own \
        (XDG_STATE_HOME, or state_folder of a library). If the earlier logins are lost: \
        rm \(folder.file("secret-store"))
        """)
    memory.forget()
    try memory.check("keyring")
  }
}
