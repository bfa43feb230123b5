import Foundation
import SecureStore
import Synchronization
import TestSupport
import Testing

@testable import AppCoreCommands

/// Commands in this process: a home of their own, a secret store in memory, and a scripted server.
struct CommandFixture {
  /// What a command left.
  struct Ending {
    let status: AppCoreCommands.ExitStatus
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
  private let home: TemporaryDirectory
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
      \(configuration)
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
      \(resources)
      """
    _ = try home.write(yaml, to: "config/appcore/config.yaml")
  }

  static func reply(_ body: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body
  }

  /// Runs a command as the program does.
  ///
  /// - Parameters:
  ///   - input: standard input.
  ///   - answer: what the user says to a question; `nil` where there is no terminal.
  func run(
    _ arguments: String..., input: String = "", answer: Bool? = nil,
    variables: [String: String] = [:], onTerminal isTerminal: Bool = false
  ) async -> Ending {
    await run(
      arguments, input: input, answer: answer, variables: variables, onTerminal: isTerminal)
  }

  func run(
    _ arguments: [String], input: String = "", answer: Bool? = nil,
    variables: [String: String] = [:], onTerminal isTerminal: Bool = false
  ) async -> Ending {
    let (output, errors) = (TextRecorder(isTerminal), TextRecorder(isTerminal))
    let console = Console(output: output, error: errors, thread: OutputThread())
    var all = variables
    for (name, folder) in [("CONFIG", "config"), ("DATA", "data"), ("STATE", "state")] {
      all["XDG_\(name)_HOME"] = home.file(folder)
    }
    let environment = CommandEnvironment(
      variables: all, currentDirectory: home.path, secretStore: store, console: console,
      standardInput: { Data(input.utf8) }, asks: { _ in answer }, end: OrderlyEnd(console))
    let status = await CommandLineProgram.run(arguments, in: environment)
    await console.flush()
    return Ending(status: status, output: output.text, errors: errors.text)
  }

  /// Gives the account a token, as every command that asks the server needs one.
  func logIn() async {
    let ending = await run("login", "--token-stdin", input: "key")
    #expect(ending.status == .done, "\(ending.errors)")
  }
}

/// A stream that remembers what was written to it.
final class TextRecorder: TextSink {
  let isTerminal: Bool
  private let written = Mutex("")

  init(_ isTerminal: Bool = false) {
    self.isTerminal = isTerminal
  }

  var text: String { written.withLock { $0 } }

  func write(_ text: String) -> StandardStream.Outcome {
    written.withLock { $0 += text }
    return .written
  }
}
