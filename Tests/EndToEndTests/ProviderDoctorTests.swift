import Foundation
import Sandbox
import TestSupport
import Testing

/// `appcore doctor --provider`, with the real program.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp)
struct ProviderDoctorTests {
  private struct Document: Decodable {
    struct Resource: Decodable {
      struct Field: Decodable {
        let field: String
        let path: String?
        let found: String?
        let value: String?
        let problem: String?
      }
      struct Row: Decodable {
        let id: String?
        let path: String
      }
      struct Problem: Decodable { let code: String }

      let name: String
      let works: Bool
      let rows: Int
      let count: Int?
      let deletions: Int?
      let fields: [Field]
      let unreadable: [Row]
      let error: Problem?
    }
    let schemaVersion: Int
    let provider: String
    let account: String
    let works: Bool
    let resources: [Resource]
  }

  /// A described provider on a raw server, and a token of an account that is not the default one.
  private struct Scene {
    let server: ScriptedServer
    let folder: TemporaryDirectory
    let environment: [String: String]

    /// - Parameters:
    ///   - scheme: how the token is shown.
    ///   - forms: further keys of the resource.
    init(
      _ replies: [String], scheme: String = "bearer", forms: String = "changes: { model: sweep }"
    ) throws {
      server = try ScriptedServer(replies.map { .reply($0) })
      folder = try TemporaryDirectory()
      let key = try folder.write("a passphrase of some length", to: "appcore.key")
      try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: key)
      _ = try folder.write("very-secret-token", to: "appcore.shop.token")
      let configuration = try folder.write(
        """
        secretStore: { kind: encrypted-file, keyFile: appcore.key }
        accounts:
          shop: { provider: acme }
        providers:
          acme:
            kind: rest
            baseURL: "\(server.url)/v1"
            tokenScheme: \(scheme)
            resources:
              invoices:
                path: /invoices
                \(forms)
                rows: items
                count: total
                fields:
                  id: id
                  type: { value: invoice }
                  status: { path: state, map: { sent: open } }
                  currency: currency
                  total: amounts.total
                  dueDate: due
                  updatedAt: at
        """, to: "config.yaml")
      environment = [
        "HOME": folder.path, "CREDENTIALS_DIRECTORY": folder.path, "APPCORE_CONFIG": configuration,
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
      ]
    }

    func run(_ arguments: String...) async throws -> ChildProcess.Ending {
      try await ChildProcess(
        try ChildProcess.built("appcore"), arguments, environment: environment
      ).ending()
    }

    static func reply(_ status: String, _ body: String) -> String {
      "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }
  }

  private func decode(_ text: String) throws -> Document {
    try JSONDecoder().decode(Document.self, from: Data(text.utf8))
  }

  @Test("each field is shown with its path, its raw value and the value read from it")
  func fields() async throws {
    let scene = try Scene([
      Scene.reply(
        "200 OK",
        """
        {"total":2,"items":[{"id":7,"state":"sent","currency":"EUR","amounts":{"total":12.50}},
        {"id":8,"state":"sent","currency":"EUR","amounts":{"total":"1\\u001b[2J"}}]}
        """)
    ])
    let ending = try await scene.run("doctor", "--provider", "acme", "--json")
    #expect(ending.status == 65, "\(ending.errors)")
    let document = try decode(ending.output)
    #expect(document.schemaVersion == 1 && document.account == "shop" && !document.works)
    let invoices = try #require(document.resources.first)
    #expect(invoices.rows == 2 && invoices.count == 2)
    #expect(invoices.unreadable.map(\.id) == ["8"])
    #expect(invoices.unreadable.map(\.path) == ["amounts.total"])
    let total = try #require(invoices.fields.first { $0.field == "total" })
    #expect(total.path == "amounts.total" && total.found == "12.50" && total.value == "12.50")
    let status = try #require(invoices.fields.first { $0.field == "status" })
    #expect(status.found == "\"sent\"" && status.value == "open")
    let type = try #require(invoices.fields.first { $0.field == "type" })
    #expect(type.path == nil && type.value == "invoice")
    let due = try #require(invoices.fields.first { $0.field == "dueDate" })
    #expect(due.found == nil && due.value == nil && due.problem == nil)
    let text = try await scene.run("doctor", "--provider", "acme")
    #expect(text.output.contains("amounts.total") && !text.output.contains("\u{1B}"))
    let database = scene.folder.file(".local/share/appcore/appcore.sqlite")
    #expect(!FileManager.default.fileExists(atPath: database))
    for output in [ending.output, ending.errors, text.output, text.errors] {
      #expect(!output.contains("very-secret-token"))
    }
    #expect(scene.server.requests.allSatisfy { $0.contains("very-secret-token") })
  }

  @Test("an identifier in two lists of a kind is a warning")
  func sharedIdentifier() async throws {
    let page = #"""
      {"total":1,"items":[{"id":7,"state":"sent","currency":"EUR","amounts":{"total":12.50}}]}
      """#
    let scene = try Scene([Scene.reply("200 OK", page), Scene.reply("200 OK", page)])
    let file = scene.folder.file("config.yaml")
    let text = try String(contentsOfFile: file, encoding: .utf8)
      .replacing("        path: /invoices", with: "      - path: /invoices")
    let list = try #require(text.components(separatedBy: "      - ").last)
    _ = try scene.folder.write(
      text + "\n      - " + list.replacing("/invoices", with: "/credits"), to: "config.yaml")
    let ending = try await scene.run("doctor", "--provider", "acme")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.output.contains("identifiers such as `7` (1 on the page) are in the invoices too"),
      "\(ending.output)")
  }

  @Test("a field that cannot be read is shown with its error")
  func problem() async throws {
    let scene = try Scene([
      Scene.reply(
        "200 OK", #"{"total":1,"items":[{"id":7,"currency":"EUR","amounts":{"total":{}}}]}"#)
    ])
    let ending = try await scene.run("doctor", "--provider", "acme", "--json")
    #expect(ending.status == 65, "\(ending.errors)")
    let invoices = try #require(try decode(ending.output).resources.first)
    let total = try #require(invoices.fields.first { $0.field == "total" })
    #expect(total.found == "an object" && total.problem?.contains("amount") == true)
    #expect(invoices.fields.first { $0.field == "status" }?.problem?.contains("missing") == true)
  }

  @Test("doctor tries individually fetched records, deletions and a key in its own header field")
  func severalParts() async throws {
    let row = #"{"id":7,"state":"sent","currency":"EUR","amounts":{"total":12.50}}"#
    let scene = try Scene(
      [
        Scene.reply("200 OK", #"{"total":1,"items":[{"id":7,"at":"2024-05-31T08:00:00Z"}]}"#),
        Scene.reply("200 OK", #"{"invoice":\#(row)}"#),
        Scene.reply("200 OK", #"{"total":1,"items":[{"id":7,"at":"2024-05-31T08:00:00Z"}]}"#),
        Scene.reply("200 OK", #"{"items":[{"id":3},{"id":4}]}"#),
      ], scheme: "{ header: X-API-TOKEN }",
      forms: """
        detail: { path: "/invoices/{id}", row: invoice }
                changes:
                  model: watermark
                  header: If-Modified-Since
                  deletions: { parameter: deleted_since }
        """)
    let ending = try await scene.run("doctor", "--provider", "acme", "--json")
    #expect(ending.status == 0, "\(ending.errors)")
    let invoices = try #require(try decode(ending.output).resources.first)
    #expect(invoices.rows == 1 && invoices.deletions == 2)
    let total = try #require(invoices.fields.first { $0.field == "total" })
    #expect(total.path == "amounts.total" && total.value == "12.50")
    let requests = scene.server.requests
    try #require(requests.count == 4)
    #expect(requests.allSatisfy { $0.contains("X-API-TOKEN: very-secret-token\r\n") })
    #expect(requests[1].hasPrefix("GET /v1/invoices/7 HTTP/1.1"))
    #expect(requests[2].contains("If-Modified-Since: "))
    #expect(requests[3].hasPrefix("GET /v1/invoices?deleted_since="))
    #expect(!(ending.output + ending.errors).contains("very-secret-token"))
  }

  @Test("a check that fails as a whole ends with the exit code of a sync")
  func failures() async throws {
    let scene = try Scene([
      Scene.reply("200 OK", #"{"total":0,"items":[]}"#),
      Scene.reply("200 OK", "<html>"), Scene.reply("403 Forbidden", ""),
    ])
    let empty = try await scene.run("doctor", "--provider", "acme")
    #expect(empty.status == 0 && empty.output.contains("invoices: 0"), "\(empty.output)")
    let broken = try await scene.run("doctor", "--provider", "acme", "--json")
    #expect(broken.status == 65 && broken.errors.contains("unreadable-data"))
    #expect(try decode(broken.output).resources.first?.error?.code == "unreadable-data")
    #expect(try await scene.run("doctor", "--provider", "acme").status == 77)
    let unknown = try await scene.run("doctor", "--provider", "akme")
    #expect(unknown.status == 78 && unknown.errors.contains("acme"), "\(unknown.errors)")
    let login = try await scene.run("login", "--account", "shop")
    #expect(login.status == 78 && login.errors.contains("--token-stdin"), "\(login.errors)")
  }

  @Test(
    "a provider that is built in shows counts and the first record",
    .enabled(if: PrivateKeyring.isAvailable, "dbus or gnome-keyring is not installed"))
  func builtIn() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 300, seed: 5) }
    _ = try await fixture.run("login")
    let ending = try await fixture.run("doctor", "--provider", "xero", "--json")
    #expect(ending.status == 0, "\(ending.errors)")
    let document = try decode(ending.output)
    #expect(
      document.resources.map(\.name).starts(with: ["invoices", "credit-notes"]) && document.works)
    let invoices = try #require(document.resources.first)
    #expect(invoices.rows == 250 && invoices.count == 300)
    #expect(invoices.fields.contains { $0.field == "total" && $0.value != nil })
    #expect(invoices.fields.contains { $0.field == "lines[0].lineAmount" })
    #expect(!FileManager.default.fileExists(atPath: fixture.databasePath))
  }
}
