package import Models

/// A hint for the user: sentences and, apart from them, the commands that they introduce, so that
/// whoever prints the hint puts the program and its configuration in front.
package struct Hint: Sendable, Hashable {
  /// A command line, as words without quotes.
  package struct Command: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The program; `appcore` stands for the one that prints the hint.
    package var program = "appcore"
    /// The arguments.
    package var words: [String]
    /// A last argument that the user replaces.
    package var placeholder: String?

    package init(_ words: [String]) { self.words = words }

    package init(arrayLiteral words: String...) { self.words = words }

    /// Returns the command with more arguments.
    package func adding(_ words: [String]) -> Command {
      var command = self
      command.words += words
      return command
    }

    /// Returns the command line to paste.
    ///
    /// - Parameter caller: the words that call appcore, such as `appcore --config other.yaml`;
    ///   `appcore setup` creates another configuration, and stays as it is.
    package func text(calling caller: String = "appcore") -> String {
      let isOwn = program == "appcore" && words.first != "setup"
      let line = [isOwn ? caller : program] + words.map(Self.quoted)
      return (line + (placeholder.map { ["'\($0)'"] } ?? [])).joined(separator: " ")
    }

    /// Returns a word of a shell; of an option with a value, such as `--scope=a`, only the value is
    /// quoted.
    private static func quoted(_ word: String) -> String {
      guard word.hasPrefix("--"), let end = word.firstIndex(of: "=") else { return word.shellWord }
      return word[...end] + String(word[word.index(after: end)...]).shellWord
    }
  }

  private struct Step: Sendable, Hashable {
    var sentence: Sentence
    var command: Command?
  }

  private var steps: [Step]

  /// Creates a hint: whole sentences or, before a command, the words that introduce it.
  package init(_ sentence: Sentence, _ command: Command? = nil) {
    steps = [Step(sentence: sentence, command: command)]
  }

  /// Creates a hint from a text, in which no instant stands apart.
  @_disfavoredOverload
  package init(_ text: String, _ command: Command? = nil) { self.init(Sentence(text), command) }

  /// Returns the hint with one more step.
  package func then(_ sentence: Sentence, _ command: Command? = nil) -> Hint {
    then(Hint(sentence, command))
  }

  /// Returns the hint with another one after it.
  package func then(_ other: Hint?) -> Hint {
    var hint = self
    hint.steps += other?.steps ?? []
    return hint
  }

  /// Returns the hint with words before its first sentence.
  package func after(_ words: Sentence) -> Hint {
    var hint = self
    hint.steps[0].sentence = words + hint.steps[0].sentence
    return hint
  }

  /// The commands.
  package var commands: [Command] { steps.compactMap(\.command) }

  /// Returns the sentences, each with its command.
  ///
  /// - Parameters:
  ///   - caller: as for ``Command/text(calling:)``.
  ///   - shown: returns a command line as it is shown.
  ///   - time: returns an instant as text.
  package func text(
    calling caller: String = "appcore", command shown: (String) -> String = { $0 },
    time: (Timestamp) -> String = { "\($0)" }
  ) -> String {
    var text = ""
    for step in steps {
      if !text.isEmpty { text += text.hasSuffix(".") ? " " : ". " }
      text += step.sentence.text(time)
      if let command = step.command { text += ": " + shown(command.text(calling: caller)) }
    }
    return text
  }
}

extension Hint: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(Sentence(text)) }

  package init(stringInterpolation: Sentence.StringInterpolation) {
    self.init(Sentence(stringInterpolation: stringInterpolation))
  }
}
