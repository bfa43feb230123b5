import ArgumentParser

/// The words of a command line: the command that they name, and what follows it.
struct Invocation {
  /// The types of the commands from `appcore` to the one that is named.
  ///
  /// ArgumentParser takes longer to describe all commands than most commands take, so a command
  /// line is read without their descriptions.
  private var commands: [any ParsableCommand.Type] = [RootCommand.self]
  /// The global options before the command's last word.
  private(set) var leadingOptions: [String] = []
  /// The words after the command.
  private(set) var rest: [String] = []
  /// True if the last word so far names a command.
  private var endsWithName = false

  init(_ arguments: [String]) {
    var words = arguments[...]
    while let word = words.first, isGroup {
      if let next = configuration.subcommands.first(where: { $0.configuration.commandName == word })
      {
        commands.append(next)
        words.removeFirst()
        endsWithName = true
      } else if let length = Self.lengthOfOption(word) {
        leadingOptions += words.prefix(length)
        words = words.dropFirst(length)
        endsWithName = false
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
    if !isNamed, let command = invocation.configuration.defaultSubcommand {
      invocation.commands.append(command)
    }
    return invocation
  }

  /// The commands from `appcore` to the one that is named, as ArgumentParser describes them.
  var path: [CommandDescription] {
    commands.dropFirst().reduce(into: [.appcore]) { path, command in
      guard let name = command.configuration.commandName else { return }
      path += [path.last?.subcommand(name)].compactMap(\.self)
    }
  }

  var command: CommandDescription { path.last ?? .appcore }

  var isGroup: Bool { !configuration.subcommands.isEmpty }

  /// True if the line ends with the name of a group, which does nothing by itself.
  var isBareGroup: Bool {
    isGroup && configuration.defaultSubcommand == nil && rest.isEmpty && endsWithName
  }

  /// The words that name the command, such as `sync invoices`.
  var words: [String] { Array(names.dropFirst()) }

  /// The command line in the order that ArgumentParser reads: options after the command.
  ///
  /// A group of commands has no options of its own; without a command it refuses them.
  var arguments: [String] {
    words + (isGroup && !rest.isEmpty ? [] : leadingOptions) + rest
  }

  var asksForHelp: Bool {
    rest.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  private var names: [String] { commands.compactMap { $0.configuration.commandName } }
  private var configuration: CommandConfiguration { commands[commands.count - 1].configuration }

  /// Returns the number of words that a global option takes; `nil` if the word is none.
  private static func lengthOfOption(_ word: String) -> Int? {
    guard word.hasPrefix("-") else { return nil }
    let options = CommandDescription.globalOptions
    let name = word.prefix { $0 != "=" }
    if let option = options.first(where: { $0.texts.contains(String(name)) }) {
      return option.kind == .option && name == word ? 2 : 1
    }
    // Several short flags in one word, such as -qv.
    guard !word.hasPrefix("--"), word.count > 1 else { return nil }
    let flags = options.filter { $0.kind == .flag }.flatMap(\.texts)
    return word.dropFirst().allSatisfy { flags.contains("-\($0)") } ? 1 : nil
  }
}

extension [String] {
  /// Returns the value of an option in arguments, even if they cannot be parsed; `nil` without the
  /// option.
  func value(of option: String) -> String? {
    let words = prefix { $0 != "--" }
    guard let index = words.lastIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else {
      return nil
    }
    return words[index] == option
      ? words[(index + 1)...].first : String(words[index].dropFirst(option.count + 1))
  }
}
