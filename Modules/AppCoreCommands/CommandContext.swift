import AppCore
import Authentication
import Foundation
import Storage

/// What a command works with: the core, made from the options, and closed in every case.
struct CommandContext: Sendable {
  let core: ApplicationCore
  let account: String
  let terminal: Terminal

  /// The database, for a command that reads the records of the account; `nil` if there is none yet.
  ///
  /// - Throws: `StorageError`; `AuthenticationError.unknownAccount`.
  func database() async throws -> LocalDatabase? {
    try await noted { try await core.databaseForReading(account: account, onWait: $0) }
  }

  /// The database, opened to read; `nil` if there is none yet.
  ///
  /// - Throws: `StorageError`.
  func openedDatabase() async throws -> LocalDatabase? {
    try await noted { try await core.databaseForReading(onWait: $0) }
  }

  private func noted(
    _ open: (_ onWait: @escaping @Sendable () -> Void) async throws -> LocalDatabase?
  ) async throws -> LocalDatabase? {
    let terminal = terminal
    let database = try await open {
      terminal.note(
        "appcore: the database has to be updated first; waiting for another program that writes to it"
      )
    }
    if let aside = database?.damagedFile {
      terminal.note(
        "appcore: the database was damaged and is kept as \(printable(aside)); what was in it comes back with: appcore sync all"
      )
    }
    return database
  }

  /// Makes the core, runs `body`, and closes the core whatever happened.
  static func run(
    _ options: GlobalOptions, account: String? = nil,
    adjusting adjust: (inout CoreConfiguration, _ account: String) throws -> Void = { _, _ in },
    _ body: @Sendable (CommandContext) async throws -> Void
  ) async throws {
    ConsoleLog(options).install()
    var configuration = try ConfigurationLoader().load(path: options.config)
    let account = account ?? configuration.defaultAccount
    try adjust(&configuration, account)
    let core = try ApplicationCore(
      configuration: configuration, httpObserver: options.traceHTTP ? HTTPTrace.write : nil)
    let context = CommandContext(
      core: core, account: account,
      terminal: Terminal(
        isJSON: options.json, isQuiet: options.quiet, tellsSteps: options.tellsSteps))
    let end = OrderlyEnd.shared
    end.began(core, context.terminal)
    do {
      try await body(context)
    } catch {
      // Closing must not hide it, nor be hidden: a login may be lost by it.
      do { try await core.close { end.waits(for: $0) } } catch let closing {
        throw Failures(error, closing: closing)
      }
      throw error
    }
    try await core.close { end.waits(for: $0) }
  }
}
