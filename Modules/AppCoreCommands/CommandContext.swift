import AppCore
import Foundation
import Logging

/// What a command works with: the core, made from the options, and closed in every case.
struct CommandContext: Sendable {
  let core: ApplicationCore
  let account: String
  let terminal: Terminal

  /// Makes the core, runs `body`, and closes the core whatever happened.
  static func run(
    _ options: GlobalOptions, account: String? = nil,
    adjusting adjust: (inout CoreConfiguration, _ account: String) throws -> Void = { _, _ in },
    _ body: @Sendable (CommandContext) async throws -> Void
  ) async throws {
    bootstrapLogging(isVerbose: options.verbose)
    var configuration = try ConfigurationLoader().load(path: options.config)
    let account = account ?? configuration.defaultAccount
    try adjust(&configuration, account)
    let core = try ApplicationCore(configuration: configuration)
    let context = CommandContext(
      core: core, account: account,
      terminal: Terminal(isJSON: options.json, isQuiet: options.quiet))
    do {
      try await body(context)
    } catch {
      // The first error is the one to tell; closing must not hide it.
      try? await core.close()
      throw error
    }
    try await core.close()
  }

  private static func bootstrapLogging(isVerbose: Bool) {
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = isVerbose ? .debug : .error
      return handler
    }
  }
}
