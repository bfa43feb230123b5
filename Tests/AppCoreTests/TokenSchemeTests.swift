import Authentication
import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import SecureStore
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

@testable import AppCore

/// Described providers whose requests show an API key in a way of their own.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct TokenSchemeTests {
  private static func yaml(
    _ scheme: String, at url: String = "https://api.acme.example", extra: String = ""
  ) -> String {
    """
    accounts: { default: { provider: acme } }
    providers:
      acme:
        kind: rest
        baseURL: \(url)/v1
        tokenScheme: \(scheme)
    \(extra)
        resources:
          invoices:
            path: /invoices
            rows: .
            fields:
              { id: id, type: { value: invoice }, status: { value: open }, currency: { value: EUR },
                total: total }
    """
  }

  @Test(
    "a passed key is sent as described, and stored only in the keyring",
    arguments: [
      ("bearer", "Authorization: Bearer canary-key"),
      ("basic", "Authorization: Basic " + Data("canary-key:".utf8).base64EncodedString()),
      ("{ header: X-API-TOKEN }", "X-API-TOKEN: canary-key"),
      ("{ header: Authorization, prefix: \"Token \" }", "Authorization: Token canary-key"),
    ])
  func shown(scheme: String, field: String) async throws {
    let server = try ScriptedServer([
      .body(#"[{"id":"1","total":"12.50"}]"#), .body("", status: "401 No"),
    ])
    let folder = try TemporaryDirectory()
    let reported = ReportedTexts()
    let core = try ApplicationCore(
      CoreConfiguration(yaml: Self.yaml(scheme, at: server.url)), in: folder,
      httpObserver: { reported.add("\($0)") })
    let tokens = try #require(TokenSet(pasted: "canary-key\n"))
    let status = try await core.authenticator.signIn("default", with: .tokens(tokens))
    reported.add("\(status)")
    let sync = try await core.sync(.invoices, account: "default")
    #expect(try await sync.run().counts.inserted == 1)
    do {
      _ = try await sync.run()
      Issue.record("a key that is refused ends the run")
    } catch { reported.add("\(error) \(String(reflecting: error))") }
    try await core.close()
    #expect(server.requests.count >= 2)
    #expect(server.requests.allSatisfy { $0.contains(field + "\r\n") }, "\(server.requests)")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    for file in try #require(files) {
      guard let data = FileManager.default.contents(atPath: folder.file(file)) else { continue }
      reported.add(String(decoding: data, as: UTF8.self))
    }
    #expect(reported.texts.count > 3)
    #expect(reported.texts.allSatisfy { !$0.contains("canary-key") })
  }

  @Test("a second secret comes from the client's file, and is sent and shown as the token is")
  func secondSecret() async throws {
    let other = try ScriptedServer([.body("[]")])
    let server = try ScriptedServer([
      .body("[]"), .body(#"[{"id":"1","total":"12.50"}]"#),
      .body("", status: "307 Elsewhere\r\nLocation: \(other.url)/v1/invoices"),
    ])
    let folder = try TemporaryDirectory()
    let file = try folder.write("canary-app\n", to: "app-secret")
    let reported = ReportedTexts()
    let yaml = Self.yaml("bearer", at: server.url, extra: "    secretHeader: X-App-Secret")
    let configuration = try CoreConfiguration(
      yaml: yaml.replacing(
        "{ provider: acme }", with: "{ provider: acme, clientSecretFile: \(file) }"))
    let core = try ApplicationCore(
      configuration, in: folder, httpObserver: { reported.add("\($0)") })
    let tokens = try #require(TokenSet(pasted: "canary-key\n"))
    // Passed tokens are tried before they are stored, with both secrets.
    let status = try await core.signIn("default", with: .tokens(tokens))
    reported.add("\(status)")
    let sync = try await core.sync(.invoices, account: "default")
    #expect(try await sync.run().counts.inserted == 1)
    _ = try await sync.run()
    let authorizer = try core.authenticator.authorizer(for: "default", origins: [])
    var dumped = ""
    dump(authorizer, to: &dumped)
    dump(core.configuration, to: &dumped)
    reported.add(dumped + String(reflecting: authorizer))
    try await core.close()
    #expect(server.requests.count == 3)
    #expect(server.requests.allSatisfy { $0.contains("X-App-Secret: canary-app\r\n") })
    #expect(server.requests.allSatisfy { $0.contains("Authorization: Bearer canary-key\r\n") })
    #expect(reported.texts.count > 3)
    #expect(other.requests.allSatisfy { !$0.contains("canary") })
    let shown = reported.texts.flatMap { $0.split(separator: "\n") }
      .filter { $0.contains("canary-") }
    #expect(shown.isEmpty, "\(shown)")
    try FileManager.default.removeItem(atPath: file)
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    for name in try #require(files) {
      let data = FileManager.default.contents(atPath: folder.file(name)) ?? Data()
      #expect(!String(decoding: data, as: UTF8.self).contains("canary"), "\(name)")
    }
  }

  @Test("a second secret that the account does not name is missing, with the key to set")
  func missingSecret() throws {
    let yaml = Self.yaml("bearer", extra: "    secretHeader: X-App-Secret")
    #expect {
      _ = try ApplicationCore(
        configuration: CoreConfiguration(yaml: yaml), secretStore: InMemorySecretStore())
    } throws: { error in
      let error = error as? ConfigurationError
      return error?.key == "accounts.default.clientSecretFile"
        && error?.problem.contains("X-App-Secret") == true
    }
  }

  @Test(
    "a header field that cannot hold a second secret is refused with line, key and fix",
    arguments: [
      ("bearer", "    secretHeader: Authorization", ".secretHeader", "name another"),
      ("{ header: X-A }", "    secretHeader: x-a", ".secretHeader", "name another"),
      ("bearer", "    secretHeader: Cookie", ".secretHeader", "no cookies"),
      ("bearer", "    secretHeader: Accept", ".secretHeader", "redirect"),
      (
        "bearer", "    secretHeader: X-A\n    headers: { X-A: b }", ".headers.X-A", "remove it here"
      ),
    ])
  func secretRefusals(scheme: String, extra: String, key: String, cure: String) {
    #expect {
      _ = try CoreConfiguration(yaml: Self.yaml(scheme, extra: extra))
    } throws: { error in
      let error = error as? ConfigurationError
      return error?.key == "providers.acme" + key && error?.problem.contains(cure) == true
    }
  }

  private final class ReportedTexts: Sendable {
    private let list = Mutex<[String]>([])
    var texts: [String] { list.withLock { $0 } }
    func add(_ text: String) { list.withLock { $0.append(text) } }
  }

  @Test(
    "an impossible scheme is refused with line, key and fix, and without its token",
    arguments: [
      ("sk_live_canary", "", ".tokenScheme", "--token-stdin"),
      ("{ prefix: x }", "", ".tokenScheme", "header is missing"),
      ("{ header: 'X Y' }", "", ".tokenScheme.header", "expected a field name"),
      ("{ header: Cookie }", "", ".tokenScheme.header", "no cookies"),
      ("{ header: Host }", "", ".tokenScheme.header", "each request"),
      ("{ header: Accept }", "", ".tokenScheme.header", "redirect"),
      ("{ header: X-Key, prefix: \"a\\nb\" }", "", ".tokenScheme.prefix", "control characters"),
      ("{ header: X-Key, value: canary }", "", ".tokenScheme.value", "available: header, prefix"),
      (
        "{ header: X-Key }", "    headers: { x-key: canary }", ".headers.x-key",
        "remove it here"
      ),
    ])
  func refusals(scheme: String, extra: String, key: String, cure: String) {
    #expect {
      _ = try CoreConfiguration(yaml: Self.yaml(scheme, extra: extra))
    } throws: { error in
      let error = error as? ConfigurationError
      return error?.line == (extra.isEmpty ? 6 : 7) && error?.key == "providers.acme" + key
        && "\(error?.problem ?? "") \(error?.fix ?? "")".contains(cure)
        && error?.problem.contains("canary") == false
    }
  }

  @Test(
    "a front end's provider cannot send its token in an unsuitable header field")
  func traits() throws {
    struct LooseProvider: Provider {
      let name = "loose"
      var profile: ProviderProfile {
        var profile = ProviderProfile(
          title: "Loose", records: "invoices", reads: "everything",
          baseURL: "https://loose.example")
        profile.tokenScheme = .header(.accept)
        return profile
      }
      func lists(in context: ProviderContext) -> [ProviderList] { [] }
    }
    let configuration = try CoreConfiguration(
      yaml: "accounts: { default: { provider: loose } }", providers: [LooseProvider()])
    #expect(throws: ConfigurationError.self) {
      _ = try ApplicationCore(configuration: configuration, secretStore: InMemorySecretStore())
    }
  }
}
