import ErrorCodes
import Foundation
import Models
import Providers
import SecureStore
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import AppCoreCommands
@testable import Presentation
@testable import Storage

/// Commands in this process: a home of their own, a secret store in memory, and a scripted server.
struct CommandFixture {
  /// The exit status and the output of a command.
  struct Ending {
    let status: ErrorCodes.ExitStatus
    let output: String
    let errors: String

    /// The one JSON document on standard output.
    func document() throws -> [String: Any] { try Self.object(output) }

    /// The `error` of the one JSON object on standard error.
    func failure() throws -> [String: Any] {
      try #require(try Self.object(errors)["error"] as? [String: Any])
    }

    private static func object(_ text: String) throws -> [String: Any] {
      #expect(text.hasSuffix("\n") && text.count(where: { $0 == "\n" }) == 1, "\(text)")
      return try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
  }

  let server: ScriptedServer
  let home: TemporaryDirectory
  /// The providers that are not built in.
  var providers: [any Provider] = []
  private let store = InMemorySecretStore()

  /// - Parameters:
  ///   - bodies: what the server answers, one after the other.
  ///   - configuration: what the configuration holds besides the provider.
  ///   - resources: what the provider lists besides invoices.
  init(
    _ bodies: [String] = [], configuration: String = "accounts: { default: { provider: acme } }",
    resources: String = ""
  ) throws {
    server = try ScriptedServer(bodies.map { .reply(Self.reply($0)) } + [.reset])
    home = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: home.file("config/appcore"), withIntermediateDirectories: true)
    let yaml = """
      \(configuration.replacing("{server}", with: server.url))
      providers:
        acme:
          kind: rest
          baseURL: \(server.url)/v1
          resources:
            invoices:
              path: /invoices
              rows: .
              fields:
                { id: id, number: number, type: { value: invoice }, status: status,
                  currency: { value: EUR }, issueDate: day, total: total, amountDue: total }
      \(resources.replacing("{server}", with: server.url))
      """
    _ = try home.write(yaml, to: "config/appcore/config.yaml")
  }

  /// Creates a fixture whose default account is signed in; the parameters are those of
  /// ``init(_:configuration:resources:)``.
  static func loggedIn(
    _ bodies: [String] = [], configuration: String = "accounts: { default: { provider: acme } }",
    resources: String = ""
  ) async throws -> CommandFixture {
    let fixture = try CommandFixture(
      bodies, configuration: configuration, resources: resources)
    await fixture.logIn()
    return fixture
  }

  static func reply(_ body: String, status: String = "200 OK") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body
  }

  /// Runs a command as the program does.
  ///
  /// - Parameters:
  ///   - input: standard input.
  ///   - typed: the lines that a user at the terminal types; without any there is no terminal.
  ///   - answer: what the user says to a question; `nil` where there is no terminal.
  ///   - columns: the width of a terminal.
  ///   - rows: its height; `nil` if it states none.
  ///   - store: the store of logins; `nil` takes the fixture's own.
  func run(
    _ arguments: String..., input: String = "", typed: [String] = [], answer: Bool? = nil,
    variables: [String: String] = [:], onTerminal isTerminal: Bool = false, columns: Int? = nil,
    rows: Int? = nil, store: (any SecretStore)? = nil
  ) async -> Ending {
    await run(
      arguments, input: input, typed: typed, answer: answer, variables: variables,
      onTerminal: isTerminal, columns: columns, rows: rows, store: store)
  }

  /// Runs a command whose arguments are in a list.
  func run(
    _ arguments: [String], input: String = "", typed: [String] = [], answer: Bool? = nil,
    variables: [String: String] = [:], onTerminal isTerminal: Bool = false, columns: Int? = nil,
    rows: Int? = nil, store: (any SecretStore)? = nil
  ) async -> Ending {
    let isTerminal = isTerminal || columns != nil
    let output = TextRecorder(isTerminal, columns: columns, rows: rows)
    let errors = TextRecorder(isTerminal, columns: columns)
    let terminal = Terminal(output: output, error: errors, thread: OutputThread())
    var all = variables
    for (name, folder) in [("CONFIG", "config"), ("DATA", "data"), ("STATE", "state")] {
      all["XDG_\(name)_HOME"] = variables["XDG_\(name)_HOME"] ?? home.file(folder)
    }
    var environment = CommandEnvironment(
      variables: all, currentDirectory: home.path, secretStore: store ?? self.store,
      terminal: terminal,
      standardInput: { Data(input.utf8) },
      asks: { question in
        if answer != nil { terminal.post(question) }
        return answer
      }, end: OrderlyEnd(terminal))
    environment.providers = providers
    let lines = Mutex(typed)
    environment.prompts = { question, isSecret in
      terminal.post(question + (isSecret ? "[unseen]" : ""))
      return lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
    environment.isInputTerminal = !typed.isEmpty
    // On a busy machine, a command may last until a line of progress is written to a pipe.
    environment.time.sleep = { time in
      let isInterval = time >= ProgressTicker.interval
      try await Task.sleep(for: isInterval ? .seconds(86_400) : time)
    }
    let status = await CommandLineProgram.run(arguments, in: environment)
    await terminal.flush()
    return Ending(status: status, output: output.text, errors: errors.text)
  }

  /// The path of a file in the folder that relative paths start from.
  func file(_ name: String) -> String { home.file(name) }

  /// Stores records, as a complete sync does.
  func store(
    _ invoices: [Invoice], contacts: [Contact] = [], payments: [Payment] = [],
    account: String = "default", at instant: Timestamp = Timestamp(Date())
  ) async throws {
    try FileManager.default.createDirectory(
      atPath: home.file("data/appcore"), withIntermediateDirectories: true)
    let database = try await LocalDatabase.open(at: home.file("data/appcore/appcore.sqlite"))
    try await commit(invoices, to: database.invoiceStore, account, at: instant)
    try await commit(contacts, to: database.contactStore, account, at: instant)
    try await commit(payments, to: database.paymentStore(), account, at: instant)
    try await database.updateIndexes()
    try await database.close()
  }

  private func commit<Record>(
    _ records: [Record], to store: ResourceStore<Record>, _ account: String,
    at instant: Timestamp
  ) async throws {
    let run = try await store.beginRun(
      RunStart(
        account: account, provider: "acme", kind: .full, startedAt: instant,
        watermarkBefore: nil))
    var page = PendingPage(source: "acme:1", instant: instant)
    page.records = store.encode(records)
    _ = try await run.commit([page])
    try await run.end(
      RunEnd(result: .complete, watermark: nil, requests: 1, endedAt: instant))
  }

  /// Gives an account a token, as every command that asks the server needs one.
  ///
  /// - Parameter account: the account; `nil` for the default one.
  func logIn(_ account: String? = nil) async {
    // The sign-in asks the server whether it accepts the token.
    server.answerNext(.reply(Self.reply("[]")))
    let option = account.map { ["--account", $0] } ?? []
    let ending = await run(["login", "--token-stdin"] + option, input: "key")
    #expect(ending.status == .done, "\(ending.errors)")
  }
}

/// A stream that remembers what was written to it.
final class TextRecorder: TextSink {
  let isTerminal: Bool
  let columns: Int?
  let rows: Int?
  private let written = Mutex("")

  init(_ isTerminal: Bool = false, columns: Int? = nil, rows: Int? = nil) {
    self.isTerminal = isTerminal
    (self.columns, self.rows) = (columns, rows)
  }

  var text: String { written.withLock { $0 } }

  func write(_ text: [UInt8]) -> StandardStream.Outcome {
    written.withLock { $0 += String(decoding: text, as: UTF8.self) }
    return .written
  }
}
