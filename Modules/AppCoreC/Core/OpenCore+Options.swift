import AppCore
import Authentication
import CAppCore
import Foundation
import Glibc
import Logging
import Models

extension OpenCore {
  /// Opens the core that a caller chose.
  ///
  /// - Throws: `ConfigurationError`, ``Misuse``.
  convenience init(_ choices: appcore_options) throws {
    let environment = ProcessInfo.processInfo.environment
    let loader = ConfigurationLoader(environment: environment)
    let config = try CText.optional(choices.config, "config")
    guard config != "" else { throw Misuse.badArgument(message: "config is empty") }
    let path = loader.filePath(config)
    var configuration = try loader.load(path: config)
    var directories = Directories(environment: environment)
    if let folder = try Self.folder(choices.data_folder, "data_folder") {
      directories.data = folder
    }
    if let folder = try Self.folder(choices.state_folder, "state_folder") {
      directories.state = folder
    }
    if let file = try Self.folder(choices.database, "database") {
      configuration.databasePath = file
    }
    let level = try CText.optional(choices.log_level, "log_level").map { text in
      guard let level = Logger.Level(rawValue: text) else {
        throw Misuse.badArgument(message: "unknown log_level '\(text)'")
      }
      return level
    }
    Self.ignoreBrokenPipes()
    do {
      let core = try ApplicationCore(
        configuration: configuration, directories: directories,
        makeLogger: { Self.logger($0, level) })
      // The plain command reads the configuration that the environment names.
      let program = config == nil ? "appcore" : "appcore --config \(path.shellWord)"
      try self.init(core, configurationPath: path, program: program)
    } catch AuthenticationError.authenticatorExists {
      throw Misuse.alreadyOpen
    }
  }

  private static func folder(_ text: UnsafePointer<CChar>?, _ parameter: String) throws -> String? {
    let path = try CText.optional(text, parameter)
    guard path?.hasPrefix("/") ?? true else {
      throw Misuse.badArgument(message: "\(parameter) must be an absolute path")
    }
    return path
  }

  private static func logger(_ label: String, _ level: Logger.Level?) -> Logger {
    guard let level else { return Logger(label: label) { _ in SwiftLogNoOpLogHandler() } }
    var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = level
    return logger
  }

  /// Ignores SIGPIPE unless the program handles it.
  private static func ignoreBrokenPipes() {
    var action = sigaction()
    guard sigaction(SIGPIPE, nil, &action) == 0 else { return }
    if action.__sigaction_handler.sa_handler == nil { signal(SIGPIPE, SIG_IGN) }
  }
}
