import Foundation
import Models
import Storage
import TestSupport
import Testing

@testable import AppCoreCommands

/// Invoice numbers that shells complete: a supplier chooses them, and no shell may expand them.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp) struct CompletedNumberTests {
  /// Numbers, each of which the first three characters tell from the others.
  private static let numbers = [
    "A1-$(touch pwned)", "A2-`touch pwned`", "A3-$HOME", "A4-~/x", "A5-it's", #"A6-a "b" c"#,
    "A7-*", "A8-a;touch pwned", "A9-!!x", #"B1-\back"#, "B2-a:b=c@d", "B3-{a,b}",
    "B4-a&touch pwned", "B5-|touch pwned", "B6-<x>#y", "B7-[ab]?^", "B8-é ü", "B9-end!", "C1-a/b",
    "C2- $x", "C3-/etc",
  ]
  private let home: TemporaryDirectory
  private let environment: [String: String]

  init() async throws {
    home = try TemporaryDirectory()
    for folder in ["bin", "zsh", "data/appcore", "work"] {
      try FileManager.default.createDirectory(
        atPath: home.file(folder), withIntermediateDirectories: true)
    }
    environment = [
      "APPCORE_CONFIG": try home.write(
        "provider: square\naccounts: { default: {} }\n", to: "config.yaml"),
      "XDG_DATA_HOME": home.file("data"), "HOME": home.path, "TERM": "xterm", "LANG": "C.UTF-8",
      "PATH": home.file("bin") + ":/usr/bin:/bin", "SHELL": "/bin/sh", "ZDOTDIR": home.path,
    ]
    // A command line that is run reports its words; one that is completed reaches the program.
    let command = try home.write(
      """
      #!/bin/sh
      [ "$1" = ---completion ] && exec '\(try ChildProcess.built("appcore"))' "$@"
      printf '%s\\n' "$*" >>'\(home.file("words"))'
      """, to: "bin/appcore")
    chmod(command, 0o755)
    try await store(
      Self.numbers + ["--config=/tmp/x", "D1-a\nb", "D1-\u{202E}b", "D1-c", "~root/x"])
  }

  private func store(_ numbers: [String]) async throws {
    let database = try await LocalDatabase.open(at: home.file("data/appcore/appcore.sqlite"))
    let euro = try #require(Currency(code: "EUR"))
    let invoices = try numbers.map { number in
      var invoice = Invoice(
        id: number, type: .invoice, status: .open, rawStatus: "X", contact: Party(name: "A"),
        currency: euro, total: try #require(ExactDecimal("1")))
      invoice.number = number
      return invoice
    }
    let store = database.invoiceStore
    let instant = Timestamp(Date())
    let run = try await store.beginRun(
      RunStart(
        account: "default", provider: "square", kind: .full, startedAt: instant,
        watermarkBefore: nil))
    var page = PendingPage(source: "square:1", instant: instant)
    page.records = store.encode(invoices)
    _ = try await run.commit([page])
    try await database.close()
  }

  private func script(_ shell: String) async throws -> String {
    try await ChildProcess(
      try ChildProcess.built("appcore"), ["--generate-completion-script", shell], environment: [:]
    ).ending().output
  }

  /// Returns the command that starts an interactive shell, with the completions as installed.
  private func command(_ shell: String) async throws -> String {
    let script = try await script(shell)
    switch shell {
    case "bash":
      let file = try home.write(script + "\nPS1='ready> '\n", to: "rc")
      return "bash --noprofile --rcfile '\(file)' -i"
    case "zsh":
      _ = try home.write(script, to: "zsh/_appcore")
      _ = try home.write(
        """
        fpath=('\(home.file("zsh"))' $fpath)
        autoload -Uz compinit; compinit -u -D; PS1='ready> '

        """, to: ".zshrc")
      return "zsh -i"
    default:
      let file = try home.write(
        script + "\nfunction fish_prompt; echo -n 'ready> '; end\n", to: "rc.fish")
      return "fish --no-config -C 'source \(file)'"
    }
  }

  // Edge case 60
  @Test(
    "a completed number reaches the command as it is, and runs nothing",
    .enabled(if: ChildProcess.find("script") != nil, "script is not installed"),
    arguments: ["bash", "zsh", "fish"].filter { ChildProcess.find($0) != nil })
  func completed(shell: String) async throws {
    let input = Pipe()
    let command = "cd '\(home.file("work"))' && exec \(try await command(shell))"
    let terminal = try ChildProcess(
      try #require(ChildProcess.find("script")), ["-qec", command, "/dev/null"],
      environment: environment, input: input)
    var expected: [String] = []
    for number in Self.numbers {
      let prompts = expected.count
      try await eventually("\(shell) is ready") {
        terminal.output.components(separatedBy: "ready> ").count > prompts + 1
      }
      try input.fileHandleForWriting.write(
        contentsOf: Data("appcore invoices show \(number.prefix(3))\t\r".utf8))
      expected.append("invoices show \(number)")
      try await eventually("\(shell) runs the line with \(number)") { words.count > prompts }
      #expect(words == expected, "\(terminal.output.suffix(300))")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.file("work")).isEmpty)
  }

  private var words: [String] {
    let text = try? String(contentsOfFile: home.file("words"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  /// Returns what bash offers for a word that is being typed, and the text of it that bash gives
  /// to the completion.
  private func offered(_ word: String, _ text: String) async throws -> [String] {
    let script = """
      eval "$(cat "$3")"
      COMP_WORDS=(appcore invoices show "$1") COMP_CWORD=3
      COMP_LINE="appcore invoices show $1" COMP_POINT=${#COMP_LINE}
      _appcore appcore "$2" show
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let file = try home.write(try await self.script("bash"), to: "script")
    let ending = try await ChildProcess(
      "/bin/bash", ["-c", script, "bash", word, text, file], environment: environment
    ).ending()
    #expect(ending.errors.isEmpty, "\(ending.errors)")
    return ending.output.split(separator: "\n").map(String.init)
  }

  // Edge case 60
  @Test("bash is offered quoted words, and within quotes only values that need none")
  func quoting() async throws {
    #expect(try await offered("~", "~") == [#"\~root/x"#])
    #expect(try await offered(#"A1-\$"#, #"A1-\$"#) == [#"A1-\$\(touch\ pwned\)"#])
    #expect(try await offered("'A1", "A1").isEmpty)
    #expect(try await offered("\"A2", "A2").isEmpty)
    #expect(try await offered("'B8", "B8") == ["B8-é ü"])
    #expect(try await offered("''", "").allSatisfy { !$0.contains(where: "$`;&|!'".contains) })
  }

  // Edge case 60
  @Test("a number that would be an option, or that a terminal cannot show, is not offered")
  func unfit() async throws {
    #expect(try await offered("D1", "D1") == ["D1-c"])
    #expect(try await offered("", "").allSatisfy { !$0.hasPrefix("-") && !$0.hasPrefix("\\-") })
  }
}
