import SystemSupport

/// A mistake in the arguments, with the command whose help explains it.
struct UsageMistake {
  let message: String
  let command: String
  private let synopsis: String

  /// Creates the mistake of a command line that ArgumentParser refused with a message.
  init(_ arguments: [String], refusedWith message: String) {
    self.init(Invocation.running(arguments), refusedWith: message)
  }

  init(_ invocation: Invocation, refusedWith message: String) {
    self.message =
      Self.unknownCommand(invocation) ?? Self.missingCommand(invocation)
      ?? Self.unknownOption(invocation) ?? message
    command = invocation.commandText
    synopsis = HelpPage(invocation.path).synopsis
  }

  var text: String {
    """
    appcore: \(message)
    Usage: \(synopsis)
      See '\(hint)' for more information.
    """
  }

  /// The command to paste.
  var hint: String { command + " --help" }

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
    let names = invocation.command.shownSubcommands.map(\.commandName)
    return "A command is missing; available: \(names.joined(separator: ", "))."
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
      let nearest = NearestWord.to(name, among: known)
      return "Unknown option '\(name)'." + (nearest.map { " Did you mean '\($0)'?" } ?? "")
    }
    return nil
  }
}

/// The error of a command that finds a mistake in its arguments itself.
struct UsageError: Error {
  let mistake: UsageMistake
}
