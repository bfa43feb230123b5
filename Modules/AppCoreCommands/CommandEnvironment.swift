import AppCore
import Foundation
import Glibc
import Providers
import SecureStore
import SystemSupport

/// The environment of a command: its inputs besides the arguments, and its outputs.
struct CommandEnvironment: Sendable {
  var variables: [String: String]
  /// The folder that relative paths on the command line start from.
  var currentDirectory: String
  /// The providers that are not built in, and that accounts can name nevertheless.
  var providers: [any Provider] = []
  /// The secret store; `nil` means the configured one.
  var secretStore: (any SecretStore)?
  var terminal: Terminal
  var standardInput: @Sendable () async throws -> Data
  /// Asks the user a yes-or-no question; returns `nil` if there is no terminal to ask at.
  var asks: @Sendable (_ question: String) async throws -> Bool?
  /// Asks the user for a line of text, which a secret does not show; returns `nil` if there is no
  /// terminal to ask at.
  var prompts: @Sendable (_ question: String, _ isSecret: Bool) async throws -> String? = {
    _, _ in nil
  }
  /// True if standard input is a terminal, at which a user sits.
  var isInputTerminal = false
  var time = TimeSource.system
  var timeZone = TimeZone.current
  /// The handler that ends the command in order after a signal.
  var end: OrderlyEnd

  /// The loader of the configuration.
  var loader: ConfigurationLoader {
    ConfigurationLoader(environment: variables, providers: providers)
  }

  /// Returns the whole path of a file that the user names.
  func path(_ name: String) -> String {
    name.hasPrefix("/") ? name : currentDirectory + "/" + name
  }

  /// Reads a file that the user names.
  ///
  /// - Throws: `ConfigurationError`, which names the file as the user does.
  func text(ofFile name: String) async throws -> String {
    let path = path(name)
    return try await BlockingWork.run {
      do {
        return try String(contentsOfFile: path, encoding: .utf8)
      } catch {
        throw ConfigurationError(
          source: name, problem: ConfigurationLoader.reason(error, of: path))
      }
    }
  }

  static func process() -> CommandEnvironment {
    CommandEnvironment(
      variables: ProcessInfo.processInfo.environment,
      currentDirectory: FileManager.default.currentDirectoryPath, secretStore: nil,
      terminal: .process, standardInput: StandardInput.readToEnd,
      asks: { question in try await ControllingTerminal()?.confirms(question) },
      prompts: { try await ControllingTerminal()?.line($0, isSecret: $1) },
      isInputTerminal: isatty(STDIN_FILENO) == 1, end: OrderlyEnd(.process))
  }
}
