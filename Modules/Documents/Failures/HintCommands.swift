/// The commands of `appcore` that hints name.
package enum HintCommands {
  /// The names of the commands that work on an existing configuration: all but `appcore setup`.
  package static let names: Set = [
    "login", "logout", "status", "sync", "invoices", "contacts", "report", "organisations",
    "config", "doctor", "help",
  ]

  /// Returns a text whose commands begin with these words.
  ///
  /// - Parameter program: the words to use instead of `appcore`, such as
  ///   `appcore --config other.yaml`.
  package static func calling(_ program: String, in text: String) -> String {
    guard program != "appcore" else { return text }
    // By bytes: a regular expression takes longer than all else that a failure needs.
    let (bytes, word) = (Array(text.utf8), Array("appcore ".utf8))
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let end = position + word.count
      if bytes[position] == word[0], bytes[position...].starts(with: word),
        position == 0 || !isPartOfName(bytes[position - 1]), hasCommand(bytes[end...])
      {
        result += program.utf8
        // The space after the word follows.
        position = end - 1
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns true if a text begins with the name of a command.
  private static func hasCommand(_ text: ArraySlice<UInt8>) -> Bool {
    let name = text.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    if name.endIndex < text.endIndex, isLetter(text[name.endIndex]) { return false }
    return names.contains(String(decoding: name, as: UTF8.self))
  }

  /// Returns true for a byte that may precede `appcore` in a longer name or a path.
  private static func isPartOfName(_ byte: UInt8) -> Bool {
    isLetter(byte) || [UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte)
  }

  /// Returns true for a letter, a digit, an underscore, and any byte beyond ASCII.
  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}

extension Failures {
  /// Returns the failures with hints whose commands begin with these words.
  package func calling(_ program: String) -> Failures {
    let adapted = all.map { failure in
      var failure = failure
      failure.hint = failure.hint.map { HintCommands.calling(program, in: $0) }
      return failure
    }
    return Failures(adapted) ?? self
  }
}
