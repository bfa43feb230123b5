/// The words of a command line: the command that they name, and what follows it.
struct Invocation {
  /// The commands from `appcore` to the one that is named.
  private(set) var path = [CommandDescription.appcore]
  /// The global options before the command's last word.
  private(set) var leadingOptions: [String] = []
  /// The words after the command.
  private(set) var rest: [String]

  init(_ arguments: [String]) {
    let options = CommandDescription.globalOptions
    var words = arguments[...]
    while let word = words.first, let command = path.last, !command.isLeaf {
      if let next = command.subcommand(word) {
        path.append(next)
        words.removeFirst()
      } else if let length = Self.length(of: word, options) {
        leadingOptions += words.prefix(length)
        words = words.dropFirst(length)
      } else {
        break
      }
    }
    rest = Array(words)
  }

  /// Creates the invocation of the command that runs: of a group, that is its default subcommand.
  static func running(_ arguments: [String]) -> Invocation {
    var invocation = Invocation(arguments)
    let isNamed = invocation.rest.first.map { !$0.hasPrefix("-") } ?? false
    if !isNamed, let name = invocation.command.defaultSubcommand,
      let command = invocation.command.subcommand(name)
    {
      invocation.path.append(command)
    }
    return invocation
  }

  /// The command.
  var command: CommandDescription { path[path.count - 1] }

  /// The words that name the command, such as `appcore sync invoices`.
  var commandText: String { path.map(\.commandName).joined(separator: " ") }

  /// The command line in the order that ArgumentParser reads: options after the command.
  ///
  /// A group of commands has no options of its own.
  var arguments: [String] {
    path.dropFirst().map(\.commandName) + (command.isLeaf ? leadingOptions : []) + rest
  }

  /// True if the user asks for help on the command.
  var asksForHelp: Bool {
    rest.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  /// Returns the number of words that a global option takes; `nil` if the word is none.
  private static func length(
    of word: String, _ options: [CommandDescription.Argument]
  ) -> Int? {
    let name = word.prefix { $0 != "=" }
    if let option = options.first(where: { $0.texts.contains(String(name)) }) {
      return option.kind == .option && name == word ? 2 : 1
    }
    // Several short flags in one word, such as -qv.
    guard word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 1 else { return nil }
    let flags = options.filter { $0.kind == .flag }.flatMap(\.texts)
    return word.dropFirst().allSatisfy { flags.contains("-\($0)") } ? 1 : nil
  }
}
