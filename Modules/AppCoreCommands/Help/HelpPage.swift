/// The text of `--help` for a command.
struct HelpPage {
  /// The width that every page fits, whatever the terminal: a page reads alike everywhere.
  static let width = 80
  /// The column where explanations start.
  private static let column = 26

  private let path: [CommandDescription]
  /// The options that every command of the program has.
  private let globalOptions: [CommandDescription.Argument]

  /// Creates the page of the last command of a path, which starts with the program.
  init(
    _ path: [CommandDescription],
    globalOptions: [CommandDescription.Argument] = CommandDescription.globalOptions
  ) {
    (self.path, self.globalOptions) = (path, globalOptions)
  }

  /// Returns the page.
  ///
  /// - Parameter program: the words that call the program in examples.
  func text(calling program: String = "appcore") -> String {
    var parts = [command.abstract ?? "", "USAGE: \(synopsis)"]
    if let discussion = command.discussion {
      parts.append(WrappedText(discussion, width: Self.width).text)
    }
    for section in sections { parts.append(Self.section(section.title, section.rows)) }
    if !command.examples.isEmpty {
      // A setup creates another configuration.
      let caller = name == "setup" ? "appcore" : program
      let lines = command.examples.map { "  \(caller) \($0)" }
      parts.append("EXAMPLES:\n" + lines.joined(separator: "\n"))
    }
    if path.count == 1 {
      let topics = HelpTopic.allCases.map { ($0.rawValue, $0.abstract) }
      parts.append(Self.section("Topics (appcore help TOPIC)", topics))
    }
    parts.append(Self.section("Global options", globalRows))
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  var name: String { path.dropFirst().map(\.commandName).joined(separator: " ") }

  var synopsis: String {
    let positionals = ownArguments.filter { $0.kind == .positional }.map {
      ($0.isOptional ? "[\($0.label)]" : $0.label) + ($0.isRepeating ? " ..." : "")
    }
    let options = ownArguments.filter { $0.kind != .positional }
    let required = options.filter { !$0.isOptional }.map(\.label)
    let words =
      command.isLeaf
      ? required + (options.count > required.count ? ["[options]"] : []) + positionals
      : ["<subcommand>"]
    return (path.map(\.commandName) + words).joined(separator: " ")
  }

  /// A heading and what it holds: names with their explanations.
  typealias Section = (title: String, rows: [(label: String, explanation: String)])

  /// The sections of the command itself: arguments, options, subcommands.
  var sections: [Section] {
    var sections: [Section] = [
      ("Arguments", ownArguments.filter { $0.kind == .positional }.map(\.row))
    ]
    let options = ownArguments.filter { $0.kind != .positional }
    sections.append(("Options", options.filter { $0.sectionTitle == nil }.map(\.row)))
    for title in options.compactMap(\.sectionTitle)
    where !sections.contains(where: { $0.title == title }) {
      sections.append((title, options.filter { $0.sectionTitle == title }.map(\.row)))
    }
    sections.append(
      ("Subcommands", command.shownSubcommands.map { ($0.commandName, $0.abstract ?? "") }))
    return sections.filter { !$0.rows.isEmpty }
  }

  var globalRows: [(label: String, explanation: String)] {
    let builtIn = (command.arguments ?? []).filter { $0.isBuiltIn && $0.shouldDisplay }
    return (globalOptions + builtIn).map(\.row)
  }

  var command: CommandDescription { path[path.count - 1] }

  private var ownArguments: [CommandDescription.Argument] {
    let global = Set(globalOptions.flatMap(\.texts))
    return (command.arguments ?? []).filter {
      $0.shouldDisplay && !$0.isBuiltIn && global.isDisjoint(with: $0.texts)
    }
  }

  private static func section(
    _ title: String, _ rows: [(label: String, explanation: String)]
  ) -> String {
    let shown = rows.map { row in
      let label = "  " + row.label
      let lines = WrappedText(row.explanation, width: width - column).lines
        .map { String(repeating: " ", count: column) + $0 }
      guard let first = lines.first, label.count < column else {
        return ([label] + lines).joined(separator: "\n")
      }
      return ([label + first.dropFirst(label.count)] + lines.dropFirst()).joined(separator: "\n")
    }
    let heading = title.split(separator: " (", maxSplits: 1)
    let capitals = ([heading[0].uppercased()] + heading.dropFirst().map(String.init))
      .joined(separator: " (")
    return capitals + ":\n" + shown.joined(separator: "\n")
  }
}

extension CommandDescription.Argument {
  fileprivate var row: (label: String, explanation: String) { (label, explanation) }
}

/// A text whose paragraphs are broken into lines; an indented line is left as it is.
struct WrappedText {
  let lines: [String]

  var text: String { lines.joined(separator: "\n") }

  init(_ text: String, width: Int) {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.count > width, !line.hasPrefix(" ") else {
        lines.append(String(line))
        continue
      }
      var current = ""
      for word in line.split(separator: " ") {
        if !current.isEmpty, current.count + 1 + word.count > width {
          lines.append(current)
          current = ""
        }
        current += (current.isEmpty ? "" : " ") + word
      }
      lines.append(current)
    }
    self.lines = lines
  }
}
