import AppCore
import ArgumentParser
import Models
import SystemSupport

struct HelpCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Show the help of a command, or a topic.")
  static let examples = ["help sync invoices", "help exit-codes"]

  @OptionGroup(visibility: .hidden) var global: GlobalOptions

  @Argument(
    help: ArgumentHelp("A command such as 'sync invoices', or a topic.", valueName: "words"),
    completion: .list(HelpTopic.allCases.map(\.rawValue) + HelpCommand.commands))
  var words: [String] = []

  func run(in environment: CommandEnvironment) async throws {
    let terminal = environment.terminal
    try await terminal.print(try Self.text(for: words, calling: terminal.program.words))
  }

  /// Returns the help of a command or a topic.
  ///
  /// - Throws: ``UsageError`` if there is none.
  private static func text(for words: [String], calling program: String) throws -> String {
    if words.count == 1, let topic = HelpTopic(rawValue: words[0]) {
      return topic.text(calling: program)
    }
    let invocation = Invocation(words)
    guard let word = invocation.rest.first else {
      return HelpPage(invocation.path).text(calling: program)
    }
    let topics = HelpTopic.allCases.map(\.rawValue)
    // A word after a command is none of a topic.
    let isTopic = invocation.path.count == 1
    let nearest = isTopic ? NearestWord.to(word, among: topics) : nil
    let message =
      nearest.map { "Unknown help topic '\(word)'. Did you mean '\($0)'?" }
      ?? UsageMistake.unknownCommand(invocation)
      ?? "'\(Hint.Command(invocation.words).text(calling: program))' has no subcommands."
    throw UsageError(
      Hint(message + (isTopic ? "\nTopics: " + topics.joined(separator: ", ") : "")))
  }

  private static var commands: [String] {
    RootCommand.configuration.subcommands.compactMap { command in
      command.configuration.shouldDisplay ? command.configuration.commandName : nil
    }
  }
}

/// A mistake in the arguments, with the command whose help explains it.
struct UsageMistake {
  let message: String
  /// The command to paste.
  let help: Hint.Command
  private let synopsis: String

  /// Creates the mistake of a command line that was refused with a message.
  init(_ invocation: Invocation, refusedWith message: String) {
    self.message =
      Self.unknownCommand(invocation) ?? Self.missingCommand(invocation)
      ?? Self.unknownOption(invocation) ?? message
    help = .init(invocation.words + ["--help"])
    synopsis = HelpPage(invocation.path).synopsis
  }

  func text(calling program: HintProgram) -> String {
    // A setup creates another configuration.
    let caller = help.words.first == "setup" ? "appcore" : program.words
    return """
      appcore: \(message)
      Usage: \(caller)\(synopsis.dropFirst("appcore".count))
        See '\(program.text(help))' for more information.
      """
  }

  /// Returns the message for a word that should have been a command.
  static func unknownCommand(_ invocation: Invocation) -> String? {
    guard !invocation.command.isLeaf, let word = invocation.rest.first, !word.hasPrefix("-") else {
      return nil
    }
    // A command of another group counts as well: `appcore list` means `appcore invoices list`.
    // Of equally near ones the command's own comes first.
    let children = invocation.command.shownSubcommands
    let names =
      children.map { ($0.commandName, $0.commandName) }
      + children.flatMap { child in
        child.shownSubcommands.map { ($0.commandName, child.commandName + " " + $0.commandName) }
      }
    let nearest = NearestWord.to(word, among: names.map(\.0))
    let suggestion = names.first { $0.0 == nearest }?.1
    return "Unknown command '\(word)'." + (suggestion.map { " Did you mean '\($0)'?" } ?? "")
  }

  /// Returns the message for a group of commands without one of them, as in `appcore sync -q`.
  private static func missingCommand(_ invocation: Invocation) -> String? {
    guard !invocation.command.isLeaf, invocation.rest.isEmpty else { return nil }
    let names = invocation.command.shownSubcommands.map(\.commandName).joined(separator: ", ") + "."
    // Lines of their own keep many names within 80 columns.
    return "A command is missing; available:"
      + (names.count > 37 ? "\n" + TerminalText.wrapped(names, to: 80) : " " + names)
  }

  private static func unknownOption(_ invocation: Invocation) -> String? {
    let own = invocation.command.arguments ?? []
    let known = (own + CommandDescription.globalOptions).flatMap(\.texts)
    let takesAnything = own.filter { $0.parsingStrategy == "unconditional" }.flatMap(\.texts)
    var previous = ""
    for word in invocation.rest.prefix(while: { $0 != "--" }) {
      defer { previous = word }
      let name = String(word.prefix { $0 != "=" })
      guard word.hasPrefix("--"), !takesAnything.contains(previous), !known.contains(name) else {
        continue
      }
      let nearest =
        NearestWord.to(name, among: known)
        ?? usualNames[name].flatMap { usual in
          known.first { $0 == usual }
        }
      return "Unknown option '\(name)'." + (nearest.map { " Did you mean '\($0)'?" } ?? "")
    }
    return nil
  }

  /// The options that other programs have for some of appcore's.
  private static let usualNames = ["--since": "--from", "--until": "--to"]
}

/// The error of a command that finds a mistake in its arguments itself.
struct UsageError: Error {
  let message: Hint

  init(_ message: Hint) { self.message = message }
}
