import AppCore
import ArgumentParser
import Foundation
import Models

struct ConfigCommand: CommandGroup {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the configuration and where it comes from.",
    subcommands: [ConfigShowCommand.self, ConfigPathCommand.self])
  static let examples = ["config show", "config path"]
}

private struct ConfigPathCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of the configuration file.")
  static let examples = ["config path"]

  @OptionGroup var global: GlobalOptions

  func run(in environment: CommandEnvironment) async throws {
    let path = environment.loader.filePath(global.config)
    let exists = FileManager.default.fileExists(atPath: path)
    let terminal = environment.terminal.with(global)
    try await terminal.print(
      ConfigPathDocument(path: path, exists: exists), text: printable(path))
    if !exists {
      terminal.note(Hint("appcore: the file does not exist; create it with", ["setup"]))
    }
  }
}

private struct ConfigShowCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show each value and where it comes from.",
    discussion: "A flag overrides an environment variable, a variable overrides the file, and the "
      + "file overrides the default. Secrets are hidden.")
  static let examples = ["config show", "config show --config other.yaml"]

  @OptionGroup var global: GlobalOptions

  func run(in environment: CommandEnvironment) async throws {
    let loader = environment.loader
    let path = loader.filePath(global.config)
    let exists = FileManager.default.fileExists(atPath: path)
    let values = try loader.values(path: global.config)
    let document = ConfigShowDocument(
      path: path, exists: exists, origin: origin(environment), values: values.map { .init($0) })
    try await environment.terminal.with(global).print(document, text: document.text)
  }

  private func origin(_ environment: CommandEnvironment) -> String {
    if global.config != nil { return "--config" }
    return environment.variables["APPCORE_CONFIG"] == nil ? "default" : "$APPCORE_CONFIG"
  }
}

private struct ConfigPathDocument: Encodable {
  let schemaVersion = 1
  let path: String
  let exists: Bool
}

private struct ConfigShowDocument: Encodable {
  let schemaVersion = 1
  let path: String
  let exists: Bool
  let origin: String
  let values: [Value]

  struct Value: Encodable {
    let key: String
    let value: String
    let origin: String

    init(_ value: ConfigurationValue) {
      key = value.key
      self.value = value.value
      origin = value.source.description
    }
  }

  var text: String {
    let file = printable(path) + (exists ? "" : " does not exist")
    let lines = values.map {
      "\(printable($0.key)): \(printable($0.value))  (\(printable($0.origin)))"
    }
    return (["file: \(file)  (\(origin))"] + lines).joined(separator: "\n")
  }
}
