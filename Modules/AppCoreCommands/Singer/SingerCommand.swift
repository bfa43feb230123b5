import AppCore
import ArgumentParser
import ErrorCodes
import Foundation
import Models
import Presentation
import SingerTap
import Storage
import Synchronization
import SystemSupport

struct SingerCommand: DocumentedCommand {
  static let configuration = CommandConfiguration(
    commandName: "singer",
    abstract: "Write what has changed for a Singer target (tap-appcore).",
    discussion: """
      Standard output has Singer messages only: SCHEMA, RECORD, STATE and ACTIVATE_VERSION. The \
      program tap-appcore is this command. --config names the configuration of the tap: a JSON \
      object with the keys config_file, accounts, sync, max_wait and decimals, all of them optional.
      """)
  static let examples = [
    "singer --config tap.json --discover > catalog.json",
    "singer --config tap.json --catalog catalog.json --state state.json",
  ]

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp(
      "Write the streams and columns that this catalog selects.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var catalog: String?

  @Option(
    help: ArgumentHelp("Write what has changed since this state of the target.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var state: String?

  @Flag(help: "Write the catalog of all streams.")
  var discover = false

  @Flag(help: "Write the capabilities and settings, as JSON.")
  var about = false

  /// Reads the configuration that `--config` names.
  func settings(in environment: CommandEnvironment) async throws -> SingerConfiguration {
    guard !about else { return SingerConfiguration() }
    return try await read(global.config, in: environment) {
      try SingerConfiguration(json: $0, source: $1)
    } ?? SingerConfiguration()
  }

  func run(
    _ configuration: SingerConfiguration, in environment: CommandEnvironment
  ) async throws {
    if about {
      return try await environment.terminal.print(SingerTap.about(version: Version.text))
    }
    if discover {
      return try await environment.terminal.print(SingerCatalog.discovered(configuration))
    }
    let catalog = try await read(catalog, in: environment) {
      try SingerCatalog(json: $0, source: $1)
    }
    let state = try await read(state, in: environment) { try SingerState(json: $0, source: $1) }
    // Whatever a sync prints, standard output is for messages.
    var aside = environment
    aside.terminal = environment.terminal.writing(to: environment.terminal.error)
    var options = global
    (options.config, options.noInput) = (configuration.configFile, true)
    // A reader of JSON on standard error expects failures.
    (options.json, options.quiet) = (false, global.quiet || global.json)
    let accounts = try AccountsOption.parse(
      configuration.accounts.map { ["--account", $0.joined(separator: ",")] }
        ?? ["--all-accounts"])
    try await CommandContext.run(options, accounts: accounts, in: aside) { context in
      // A mistyped account is an error before anything is fetched or written.
      if configuration.accounts != nil { _ = try await context.database() }
      let failure = try await sync(configuration, in: context)
      let tap = SingerTap(
        configuration, accounts: configuration.accounts == nil ? nil : context.accounts,
        lists: Dictionary(
          uniqueKeysWithValues: try Set(context.accounts).map { account in
            (account, try context.core.resources(account: account))
          }),
        catalog ?? SingerCatalog(), state ?? SingerState(),
        at: Timestamp(environment.time.wall()))
      guard let database = try await context.openedDatabase() else {
        // A database that is absent says nothing, least of all that nothing has changed.
        if let failure { throw failure }
        throw Failures(
          Failure(.nothingStored, "nothing was fetched yet", context.nothingStored(of: .invoices)))
      }
      try await write(tap, database, context, to: environment.terminal)
      if let failure { throw failure }
    }
  }

  /// Syncs if the configuration says so.
  ///
  /// - Returns: the error of a sync that failed: what is stored of other accounts and lists is
  ///   written before the run fails.
  private func sync(
    _ configuration: SingerConfiguration, in context: CommandContext
  ) async throws -> (any Error)? {
    guard configuration.syncs else { return nil }
    let arguments = try SyncArguments.parse(configuration.maxWait.map { ["--max-wait", $0] } ?? [])
    do {
      try await SyncSequence(context, arguments, isForAll: context.isForAll).run(nil)
    } catch {
      guard !Task.isCancelled else { throw error }
      return error
    }
    return nil
  }

  private func write(
    _ tap: SingerTap, _ database: LocalDatabase, _ context: CommandContext, to terminal: Terminal
  ) async throws {
    let isWhole = Mutex(false)
    _ = try await RowFormat.text().write(to: terminal) { body in
      let ending = try await tap.write(database, to: body)
      isWhole.withLock { $0 = true }
      if let refusal = ending.refusal {
        context.terminal.note(
          "appcore: the state \(refusal.rawValue); all rows were written again")
      }
      if let unread = ending.unread { context.terminal.note(Self.hint(unread, in: context)) }
    }
    // The target has left before the end.
    if !isWhole.withLock(\.self) { throw OutputFailed() }
  }

  private static func hint(_ unread: UnreadList, in context: CommandContext) -> Hint {
    let list = unread.resource.map { "the list '\($0.rawValue)'" } ?? "no list"
    let account = unread.account.map { " of account '\($0)'" } ?? ""
    let option = unread.account.map { HintAccount($0, in: context.core.configuration).option } ?? []
    return Hint(
      "appcore: the target keeps rows that did not come, because \(list)\(account) was "
        + (unread.resource == nil ? "ever" : "never") + " read to its end; read it with",
      .init(["sync", unread.resource?.rawValue ?? "all"] + option))
  }

  /// Reads a file with `read`, which gets its text and its name; `nil` without a file.
  private func read<Value: Sendable>(
    _ name: String?, in environment: CommandEnvironment,
    _ read: (_ text: String, _ source: String) throws -> Value
  ) async throws -> Value? {
    guard let name else { return nil }
    return try read(try await environment.text(ofFile: name), name)
  }
}
