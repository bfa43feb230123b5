import AppCore
import Foundation
import SecureStore

/// The surroundings of a command: what it reads besides its arguments, and where it writes.
struct CommandEnvironment: Sendable {
  /// The environment variables.
  var variables: [String: String]
  /// The folder that paths of the command line are relative to.
  var currentDirectory: String
  /// The secret store; `nil` takes the configured one.
  var secretStore: (any SecretStore)?
  var console: Console
  /// Reads standard input to its end.
  var standardInput: @Sendable () async throws -> Data
  /// Asks the user a question to be answered by yes or no; `nil` where there is no terminal to ask
  /// at.
  var asks: @Sendable (_ question: String) async throws -> Bool?
  /// The way to the end where a signal comes.
  var end: OrderlyEnd

  /// The surroundings of this process.
  static func process() -> CommandEnvironment {
    CommandEnvironment(
      variables: ProcessInfo.processInfo.environment,
      currentDirectory: FileManager.default.currentDirectoryPath, secretStore: nil,
      console: .process, standardInput: StandardInput.readToEnd,
      asks: { question in try await ControllingTerminal()?.confirms(question) },
      end: OrderlyEnd(.process))
  }
}
