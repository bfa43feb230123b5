import AppCore
import Authentication
import ErrorCodes
import Foundation
import Models
import Networking
import Presentation
import Storage
import Sync
import SystemSupport

struct CommandContext: Sendable {
  let core: ApplicationCore
  /// The account, or the first of several.
  var account: String
  var accounts: [String]
  /// True if the command is for every configured account.
  var isForAll = false
  /// True if the command line names the account or all of them; otherwise it is the default.
  var isNamed: Bool
  let environment: CommandEnvironment
  let terminal: Terminal

  var showsAccounts: Bool { accounts.count > 1 }

  /// The organisations that a table of several accounts shows.
  var shownOrganisations: OrganisationNames {
    get async { showsAccounts ? await core.organisationNames() : OrganisationNames() }
  }

  /// The option that names the accounts in a hint; empty for the default account.
  var accountOption: [String] {
    guard showsAccounts else { return HintAccount(account, in: core.configuration).option }
    return Set(accounts) == Set(core.configuration.accounts.keys)
      ? ["--all-accounts"] : ["--account", accounts.joined(separator: ",")]
  }

  /// A sentence about the files that stay when records are deleted; none if `documents.folder` is
  /// not set.
  var keptFilesTexts: [String] {
    core.configuration.documents.folder.map { ["The files in \(printable($0)) stay."] } ?? []
  }

  /// The usual database with its number of invoices, if the configured one does not exist.
  private var otherDatabase: (path: String, invoices: Int)? {
    let usual = Directories(environment: environment.variables).databasePath
    guard usual != core.databasePath, !FileManager.default.fileExists(atPath: core.databasePath),
      let count = LocalDatabase.invoiceCount(ofFile: usual), count > 0
    else { return nil }
    return (usual, count)
  }

  /// Returns the message that nothing is stored of a resource, and how to change that.
  func nothingStored(of resource: Resource) -> Hint {
    if !showsAccounts, let listed = try? core.resources(account: account),
      !listed.contains(resource)
    {
      let provider = core.configuration.accounts[account]?.provider ?? ""
      return "\(core.configuration.title(ofProvider: provider)) lists no \(resource)"
    }
    let start = "No \(resource) are stored; "
    if let other = otherDatabase {
      return Hint(
        "Nothing is stored in \(core.databasePath), but \(other.path) has "
          + "\(HumanText.count(other.invoices, .invoices)); set database in the configuration, or "
          + "APPCORE_DATABASE, to the file that you mean")
    }
    return core.configuration.isUnset
      ? Hint(start + "connect a provider with", ["setup"])
      : Hint(start + "fetch them with", .init(["sync", resource.rawValue] + accountOption))
  }

  /// Returns the database for reading the accounts' records; `nil` if there is none yet.
  ///
  /// - Throws: `StorageError`; `AuthenticationError.unknownAccount`; `ConfigurationError` if the
  ///   user has to choose one of several accounts.
  func database() async throws -> LocalDatabase? {
    // The records of an account that is not configured any more are shown if it is named.
    if !isNamed { try core.configuration.requireChoice(account) }
    return try await noted { onWait in
      var database: LocalDatabase?
      for account in accounts {
        database = try await core.databaseForReading(account: account, onWait: onWait)
      }
      return database
    }
  }

  /// Returns false if a configuration other than the usual one uses the usual database, whose other
  /// accounts may be those of another file.
  func ownsDatabase(_ options: GlobalOptions) -> Bool {
    core.configuration.databasePath != nil
      || options.config == nil && environment.variables["APPCORE_CONFIG"] == nil
  }

  /// Returns the database for reading; `nil` if there is none yet.
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
        "appcore: waiting for another program that writes to the database; "
          + "the file must be updated first")
    }
    if let aside = database?.damagedFile {
      terminal.note(
        Hint("appcore: " + Self.renamed(aside) + "; fetch its content again with", ["sync", "all"]))
    }
    return database
  }

  /// Says what became of a damaged database.
  static func renamed(_ aside: String) -> String {
    "the database was damaged and was renamed to \(printable(aside))"
  }

  /// Requires that something is known of the resource before a file is replaced, because an empty
  /// file would say that there is nothing.
  ///
  /// - Parameter file: the file to write; `nil` if there is none to protect.
  /// - Throws: ``Failures``.
  func requireContents(
    of resource: Resource, in database: LocalDatabase?, for file: String?
  ) async throws {
    guard let file, try await database?.knows(resource, accounts: accounts) != true else { return }
    let kept = "'\(printable(file))' is not written: "
    if let aside = database?.damagedFile {
      throw Failures(
        Failure(
          .corruptDatabase, Sentence(kept + Self.renamed(aside)),
          Hint("Fetch its content again with", ["sync", "all"])))
    }
    throw Failures(
      Failure(
        .nothingStored, Sentence(kept + "nothing was fetched yet"), nothingStored(of: resource)))
  }

  /// Says on standard error that the records just shown are old, and how old.
  func noteAge(of resource: Resource) async throws {
    let old = try await core.oldRecords(of: resource, accounts: accounts)
    guard let oldest = old.map(\.since).min() else { return }
    let age = HumanText.short(.seconds(environment.time.wall().timeIntervalSince(oldest.date)))
    let whose = showsAccounts ? " of \(HumanText.count(old.count, "account"))" : ""
    terminal.note(
      Hint(
        "appcore: no sync of \(resource)\(whose) was complete for \(age); see",
        ["status"]))
  }

  /// Creates the core, runs `body` for several accounts, and closes the core even if `body` throws.
  static func run(
    _ options: GlobalOptions, accounts: AccountsOption, in environment: CommandEnvironment,
    _ body: @Sendable (CommandContext) async throws -> Void
  ) async throws {
    let first = accounts.names.first { !$0.hasPrefix("@") }
    try await run(options, account: first, in: environment) { context in
      var context = context
      let names = try accounts.accounts(in: context.core.configuration)
      if let first = names.first {
        (context.account, context.accounts, context.isNamed) = (first, names, true)
      }
      context.isForAll = accounts.allAccounts || accounts.names.isEmpty && !names.isEmpty
      try await body(context)
    }
  }

  /// Creates the core, runs `body`, and closes the core even if `body` throws.
  static func run(
    _ options: GlobalOptions, account: String? = nil, in environment: CommandEnvironment,
    adjusting adjust: (inout CoreConfiguration, _ account: String) throws -> Void = { _, _ in },
    _ body: @Sendable (CommandContext) async throws -> Void
  ) async throws {
    let log = ConsoleLog(options, in: environment)
    var configuration = try environment.loader.load(path: options.config)
    let isNamed = account != nil
    let account = account ?? configuration.defaultAccount
    try adjust(&configuration, account)
    let core = try ApplicationCore(
      configuration: configuration, secretStore: environment.secretStore,
      directories: Directories(environment: environment.variables),
      credentials: ServiceCredentials(environment: environment.variables),
      httpObserver: options.traceHTTP ? ConsoleLog.trace(to: environment.terminal) : nil,
      makeLogger: log.logger)
    let terminal = environment.terminal.with(options)
    let context = CommandContext(
      core: core, account: account, accounts: [account], isNamed: isNamed,
      environment: environment, terminal: terminal)
    let end = environment.end
    end.began(core, terminal)
    do {
      try await body(context)
    } catch {
      // Report both errors: if closing fails, a login may be lost.
      do { try await core.close { end.waits(for: $0) } } catch let closing {
        throw Failures(error, closing: closing, in: core.configuration, account: account)
      }
      // Their messages or hints name accounts; of the others, some are for the caller.
      guard error is AuthenticationError || error is SyncError || error is SessionError else {
        throw error
      }
      throw Failures(error, in: core.configuration, account: account)
    }
    try await core.close { end.waits(for: $0) }
  }
}
