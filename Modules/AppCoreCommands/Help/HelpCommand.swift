import ArgumentParser
import SystemSupport

/// `appcore help`.
struct HelpCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Show the help of a command, or a topic.")

  @OptionGroup(visibility: .hidden) var global: GlobalOptions

  @Argument(
    help: ArgumentHelp("A command such as 'sync invoices', or a topic.", valueName: "words"),
    completion: .list(HelpTopic.allCases.map(\.rawValue) + HelpCommand.commands))
  var words: [String] = []

  func run(in environment: CommandEnvironment) async throws {
    try await environment.console.print(try Self.text(for: words))
  }

  /// Returns the help of a command or a topic.
  ///
  /// - Throws: ``UsageError`` if there is none.
  static func text(for words: [String]) throws -> String {
    if words.count == 1, let topic = HelpTopic(rawValue: words[0]) { return topic.text }
    let invocation = Invocation(words)
    guard invocation.rest.isEmpty else {
      let topics = HelpTopic.allCases.map(\.rawValue)
      let word = invocation.rest[0]
      // A word after a command is none of a topic.
      let isTopic = invocation.path.count == 1
      let nearest = invocation.path.count == 1 ? NearestWord.to(word, among: topics) : nil
      let message =
        nearest.map { "Unknown help topic '\(word)'. Did you mean '\($0)'?" }
        ?? UsageMistake.unknownCommand(invocation)
        ?? "'\(invocation.commandText)' has no subcommands."
      throw UsageError(
        mistake: UsageMistake(
          Invocation(["help"]),
          refusedWith: message
            + (isTopic ? "\nTopics: " + topics.joined(separator: ", ") : "")))
    }
    return HelpPage(invocation.path).text
  }

  private static var commands: [String] {
    RootCommand.configuration.subcommands.compactMap { command in
      command.configuration.shouldDisplay ? command.configuration.commandName : nil
    }
  }
}
