import ArgumentParser
import Foundation

/// A command as ArgumentParser describes it: its words, options and subcommands.
struct CommandDescription: Decodable, Sendable {
  struct Argument: Decodable, Sendable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable {
      let kind: String
      let name: String

      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    let kind: Kind
    let names: [Name]?
    let valueName: String?
    let abstract: String?
    let defaultValue: String?
    let allValues: [String]?
    let sectionTitle: String?
    let shouldDisplay: Bool
    let isOptional: Bool
    let isRepeating: Bool
    let parsingStrategy: String

    /// The names as they are typed, short ones first.
    var texts: [String] {
      (names ?? []).map(\.text).sorted { $0.count < $1.count }
    }
  }

  let commandName: String
  let abstract: String?
  let discussion: String?
  let shouldDisplay: Bool
  let arguments: [Argument]?
  var subcommands: [CommandDescription]?
  /// The subcommand that runs if none is named.
  var defaultSubcommand: String?
  /// Command lines that work, without the program's name.
  private(set) var examples: [String] = []

  private enum CodingKeys: CodingKey {
    case commandName, abstract, discussion, shouldDisplay, arguments, subcommands
    case defaultSubcommand
  }

  /// The commands that help shows; ArgumentParser lists its own `help` beside ours.
  var shownSubcommands: [CommandDescription] {
    var names: Set<String> = []
    return (subcommands ?? []).filter { $0.shouldDisplay && names.insert($0.commandName).inserted }
  }

  /// The command without the `help` that ArgumentParser adds to every program.
  var withoutBuiltInHelp: CommandDescription {
    var command = self
    command.subcommands = subcommands?.filter { $0.commandName != "help" }
    return command
  }

  var isLeaf: Bool { (subcommands ?? []).isEmpty }

  func subcommand(_ name: String) -> CommandDescription? {
    subcommands?.first { $0.commandName == name }
  }

  static let appcore = described(RootCommand.self).documented(by: RootCommand.self)

  /// The options that every command has, besides `--help` and `--version`.
  static let globalOptions = (described(GlobalOptions.self).arguments ?? [])
    .filter { !$0.isBuiltIn }

  private func documented(by type: any ParsableCommand.Type) -> CommandDescription {
    var command = self
    command.examples = (type as? any DocumentedCommand.Type)?.examples ?? []
    command.subcommands = subcommands?.map { child in
      let types = type.configuration.subcommands
      return types.first { $0.configuration.commandName == child.commandName }
        .map(child.documented) ?? child
    }
    return command
  }

  private struct Tool: Decodable {
    let command: CommandDescription
  }

  private static func described(_ type: any ParsableArguments.Type) -> CommandDescription {
    // ArgumentParser wrote it a moment ago; a text that cannot be read would be a program without
    // commands, which every test of this module notices.
    (try? CommandDescription(dump: Data(type._dumpHelp().utf8)))
      ?? CommandDescription(
        commandName: "appcore", abstract: nil, discussion: nil, shouldDisplay: true, arguments: [],
        subcommands: [])
  }
}

extension CommandDescription {
  /// Reads what a program prints for `--experimental-dump-help`; every program that uses
  /// ArgumentParser has this option.
  init(dump: Data) throws {
    self = try JSONDecoder().decode(Tool.self, from: dump).command
  }
}

extension CommandDescription.Argument {
  /// True of the options that ArgumentParser adds itself.
  var isBuiltIn: Bool { texts.contains("--help") || texts.contains("--version") }

  /// The argument as help shows it, such as `-q, --quiet` or `--limit <n>`.
  var label: String {
    switch kind {
    case .positional: valueText
    case .flag: texts.joined(separator: ", ")
    case .option: texts.joined(separator: ", ") + " " + valueText
    }
  }

  /// The text of help, with the values that can be given.
  var explanation: String {
    let values = (allValues ?? []).isEmpty ? nil : allValues.map { $0.joined(separator: ", ") }
    let notes = [values.map { "values: \($0)" }, defaultValue.map { "default: \($0)" }]
      .compactMap(\.self).joined(separator: "; ")
    return [abstract ?? "", notes.isEmpty ? "" : "(\(notes))"].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  private var valueText: String { "<\(valueName ?? "value")>" }
}
