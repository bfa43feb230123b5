import AppCore
import ArgumentParser
import Authentication
import Foundation
import Models
import SecureStore
import Storage

/// `appcore status`.
struct StatusCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show accounts, logins, last syncs, database and keyring.")

  @OptionGroup var global: GlobalOptions

  func run(in environment: CommandEnvironment) async throws {
    try await CommandContext.run(global, in: environment) { context in
      let core = context.core
      let keyring = await Self.keyring(core)
      let database = try await context.openedDatabase()
      var accounts: [StatusDocument.Account] = []
      for name in core.configuration.accounts.keys.sorted() {
        let login = try? await core.authenticator.status(of: name)
        var runs: [Resource: RunRecord] = [:]
        for resource in database == nil ? [] : try core.resources(account: name) {
          runs[resource] = try await database?.lastRun(account: name, resource: resource)
        }
        let invoices = try await database?.invoiceCount(account: name) ?? 0
        accounts.append(
          StatusDocument.Account(
            name: name, provider: core.configuration.accounts[name]?.provider, login: login,
            runs: runs, invoices: invoices))
      }
      let document = StatusDocument(
        accounts: accounts, database: core.databasePath, databaseExists: database != nil,
        keyring: keyring)
      try await context.terminal.print(document, text: document.text)
    }
  }

  private static func keyring(_ core: ApplicationCore) async -> String {
    do {
      return "\(try await core.secretStore.checkAvailability())"
    } catch {
      return "not available: \(error)"
    }
  }
}
