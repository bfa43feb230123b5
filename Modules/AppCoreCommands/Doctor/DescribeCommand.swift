import AppCore
import ArgumentParser
import Authentication
import Foundation
import Models
import Networking
import Presentation
import Providers

struct DescribeCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe", abstract: "Propose the description of an API from one of its pages.",
    discussion: """
      Reads a token or an API key from standard input or a hidden prompt, sends one request, and \
      prints a configuration for a provider that appcore does not know. A comment explains each \
      guess. It stores nothing.
      """)

  static let examples = [
    "describe https://api.acme.example/v1/invoices < api-key.txt",
    "describe https://api.acme.example/v1/invoices --header X-API-KEY",
    "describe https://acme.example/invoices --header 'Authorization:Token '",
  ]

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp(
      "Give the provider and its account this name; by default, a part of the address.",
      valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Send the key in this header field, after a prefix; as a bearer token by default.",
      valueName: "field[:prefix]"))
  var header: String?

  @Flag(help: "Send the key as a user without a password, or as USER:PASSWORD.")
  var basic = false

  @Argument(help: "The address of a list of invoices, payments or contacts.")
  var url: String

  func validate() throws {
    guard header == nil || !basic else {
      throw ValidationError("--header and --basic exclude each other.")
    }
    if let problem = ConfigurationDraft.problem(ofAddress: url) {
      throw ValidationError("The address cannot be used: \(problem).")
    }
    let items = URLComponents(string: url)?.queryItems ?? []
    if items.contains(where: { Self.keyItems.contains($0.name.lowercased()) }) {
      throw ValidationError(
        "appcore sends keys in header fields only; remove the key from the address.")
    }
    if let name, !Account.isValid(name: name) {
      throw ValidationError("--name: \(ConfigurationError.nameExpectation).")
    }
  }

  /// The query items in which APIs expect a key.
  private static let keyItems: Set = ["key", "apikey", "api_key", "access_token", "secret"]

  func run(in environment: CommandEnvironment) async throws {
    let terminal = environment.terminal.with(global)
    guard let address = URL(string: url) else {
      throw ValidationError("The address cannot be used: it is no URL.")
    }
    let known = environment.loader.providers.map(\.name)
    if let name, known.contains(name) {
      throw ValidationError("--name: appcore has a provider of this name already.")
    }
    let name = name ?? Self.name(of: address, besides: known)
    let log = ConsoleLog(global, in: environment)
    let scheme = try scheme()
    let tokens = try await tokens(environment)
    let proposal: ProposedDescription
    do {
      proposal = try await ProposedDescription.fetch(
        name: name, from: address, tokens, scheme: scheme,
        observer: global.traceHTTP ? ConsoleLog.trace(to: environment.terminal) : nil,
        logger: log.logger(label: "appcore.networking"))
    } catch let refusal as PageRefusal {
      var failure = Failure(refusal.code, refusal.problem, Hint(refusal.fix))
      failure.providerMessage = refusal.message
      throw Failures(failure)
    }
    let document = ProposalDocument(
      provider: name, missing: proposal.missing, configuration: proposal.yaml)
    try await terminal.print(document, text: proposal.yaml)
    if !global.json { terminal.note(nextSteps(name, proposal, environment)) }
  }

  private func scheme() throws -> TokenScheme {
    guard let header else { return basic ? .basic : .bearer }
    do { return try TokenScheme(headerOption: header) } catch let error as ConfigurationError {
      throw ValidationError("--header: \(error.problem).")
    }
  }

  private func tokens(_ environment: CommandEnvironment) async throws -> TokenSet {
    var text = ""
    if !environment.isInputTerminal {
      text = String(decoding: try await environment.standardInput(), as: UTF8.self)
    } else if !global.noInput {
      await environment.terminal.flush()
      text = try await environment.prompts(LoginFlow.tokenQuestion("API key"), true) ?? ""
    }
    guard text.contains(where: { !$0.isWhitespace }) else { throw LoginFlow.noToken }
    guard let tokens = TokenSet(pasted: text) else { throw LoginFlow.badToken }
    return tokens
  }

  private func nextSteps(
    _ name: String, _ proposal: ProposedDescription, _ environment: CommandEnvironment
  ) -> Hint {
    let file = printable(environment.loader.filePath(global.config))
    let isThere = FileManager.default.fileExists(atPath: file)
    let start: Hint = isThere ? "Add this to \(file)." : "Save this as \(file)."
    let complete: Hint? =
      proposal.missing.isEmpty
      ? nil : "Complete what was not found: \(proposal.missing.joined(separator: ", "))."
    return start.then(complete)
      .then("Pass the key with", ["login", "--account", name, "--token-stdin"])
      .then("Check each field with", ["doctor", "--provider", name])
  }

  /// Returns the name of a provider: the longest label of its host, such as `acme` of
  /// `api.acme.example`.
  private static func name(of url: URL, besides known: [String]) -> String {
    let labels = (url.host() ?? "").split(separator: ".").map(String.init)
    let usual: Set = ["api", "www", "app", "rest", "secure"]
    let own = labels.dropLast().filter { !usual.contains($0) && $0.contains(where: \.isLetter) }
    let name = own.max { $0.count < $1.count } ?? "provider"
    guard Account.isValid(name: name) else { return "provider" }
    return known.contains(name) ? name + "-described" : name
  }
}

private struct ProposalDocument: Encodable {
  let schemaVersion = 1
  let provider: String
  /// The required fields for which nothing was found.
  let missing: [String]
  let configuration: String
}
