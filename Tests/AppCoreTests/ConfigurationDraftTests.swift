import AppCore
import Foundation
import TestSupport
import Testing

/// The files beside a new configuration, and what they keep.
@Suite(.timeLimit(.minutes(10))) struct ConfigurationDraftTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("config.yaml")
  }

  @Test("an encrypted file gets a new key of its owner, and an earlier key is kept")
  func key() throws {
    var draft = ConfigurationDraft(provider: "xero")
    let keyFile = ConfigurationDraft.keyFile(beside: path)
    #expect(keyFile == folder.file("key"))
    #expect(try draft.useEncryptedFile(keyFile: keyFile))
    #expect(draft.keyFile == keyFile && draft.text.contains("kind: encrypted-file"))
    let key = try String(contentsOfFile: keyFile, encoding: .utf8)
    #expect(key.count == 72)
    let attributes = try FileManager.default.attributesOfItem(atPath: keyFile)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    var other = ConfigurationDraft(provider: "xero")
    #expect(try other.useEncryptedFile(keyFile: keyFile) == false)
    #expect(other.keyFile == keyFile)
    #expect(try String(contentsOfFile: keyFile, encoding: .utf8) == key)
  }

  @Test("a client secret gets a new file, which replaces no earlier one")
  func clientSecret() throws {
    let first = ConfigurationDraft.clientSecretFile(of: "shop", beside: path)
    #expect(first == folder.file("shop.secret"))
    try ConfigurationDraft.writeSecret("s", to: first)
    #expect(ConfigurationDraft.clientSecretFile(of: "shop", beside: path) == first + "-2")
  }

  @Test("the redirect URI to register names the port, unless each sign-in takes a free one")
  func redirectURI() {
    var draft = ConfigurationDraft(provider: "xero")
    #expect(!draft.text.contains("redirect URI"))
    draft.redirectPort = ConfigurationDraft.usualRedirectPort
    #expect(draft.text.contains("http://127.0.0.1:14285/callback"))
    #expect(ConfigurationDraft.redirectURI(port: 0) == "http://127.0.0.1/callback")
  }
}
