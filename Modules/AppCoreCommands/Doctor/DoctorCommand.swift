import AppCore
import ArgumentParser
import Authentication
import Foundation
import Networking
import SecureStore

/// `appcore doctor`.
struct DoctorCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the installation and suggest fixes.",
    discussion: """
      Exits with 0 if everything works, else with 1. Changes and renews nothing.

      With --provider it fetches one page of each of the provider's lists and shows each field of the \
      first record: its path, the raw value and the parsed value. Nothing is stored.
      """)

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp("Show how this provider's records are read.", valueName: "name"),
    completion: ConfiguredValues.providers)
  var provider: String?

  func run(in environment: CommandEnvironment) async throws {
    if let provider {
      try await CommandContext.run(global, in: environment) { context in
        try await ProviderExamination(context).run(provider)
      }
      return
    }
    try await CommandContext.run(global, in: environment) { context in
      var checks = [await Self.keyring(context.core), await Self.database(context.core)]
      for name in context.core.configuration.accounts.keys.sorted() {
        checks.append(await Self.login(name, context.core))
        checks.append(await Self.server(name, context.core))
      }
      let document = DoctorDocument(checks: checks)
      try await context.terminal.print(document, text: document.text)
      if !document.works { throw CommandEnded(status: .unclassified) }
    }
  }

  private static func check(
    _ name: String, _ body: () async throws -> String
  ) async -> DoctorDocument.Check {
    do {
      return .init(name: name, works: true, detail: try await body(), cure: nil)
    } catch {
      let failure = Failure(error)
      return .init(name: name, works: false, detail: failure.message, cure: failure.hint)
    }
  }

  private static func keyring(_ core: ApplicationCore) async -> DoctorDocument.Check {
    await check("keyring") {
      let description = try await core.secretStore.checkAvailability()
      guard !description.isLocked else { throw SecretStoreError.locked }
      return "\(description)"
    }
  }

  private static func database(_ core: ApplicationCore) async -> DoctorDocument.Check {
    await check("database") {
      guard try await core.databaseForReading() != nil else {
        return "\(core.databasePath) (none yet; the first sync makes it)"
      }
      return core.databasePath
    }
  }

  private static func login(_ name: String, _ core: ApplicationCore) async -> DoctorDocument.Check {
    await check("login \(name)") {
      let status = try await core.authenticator.status(of: name)
      switch status.state {
      case .signedOut:
        throw AuthenticationError.signInRequired(account: name, reason: .notSignedIn)
      case .rejected:
        guard case .ended(let reason, _)? = status.lastOutcome else { break }
        throw AuthenticationError.signInRequired(account: name, reason: reason)
      case .valid, .expired: break
      }
      return [
        status.state.rawValue,
        status.generation.map { "generation \($0)" },
        status.lastOutcome.map(StatusDocument.Account.text),
        status.clockSkew.map { "server's clock \(Int($0.rounded())) s ahead" },
        status.lockHolder.map { "process \($0) is renewing" },
      ].compactMap(\.self).joined(separator: ", ")
    }
  }

  private static func server(_ name: String, _ core: ApplicationCore) async -> DoctorDocument.Check
  {
    await check("server \(name)") {
      "\(try await core.authenticator.probeServer(of: name)) answers"
    }
  }
}
