import Foundation
import TestSupport
import Testing

/// The completion of command lines, by bash itself.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct CompletionTests {
  /// Returns what bash offers for a command line that ends where the cursor is.
  private func offered(_ line: String) async throws -> [String] {
    let program = try ChildProcess.built(line.split(separator: " ").first.map(String.init) ?? "")
    let script = """
      PATH=$(dirname "$1"):$PATH
      name=$(basename "$1")
      eval "$("$1" --generate-completion-script bash)"
      COMP_LINE=$2 COMP_POINT=${#2}
      read -ra COMP_WORDS <<<"$2"
      case $2 in *' ') COMP_WORDS+=('') ;; esac
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      "_$name" "$name" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let home = try TemporaryDirectory()
    let ending = try await ChildProcess(
      "/bin/bash", ["-c", script, "bash", program, line],
      environment: ["HOME": home.path, "PATH": "/usr/bin:/bin"]
    ).ending()
    #expect(ending.errors.isEmpty, "\(ending.errors)")
    return ending.output.split(separator: "\n").map(String.init)
  }

  @Test("bash offers each command once, and commands and topics after help")
  func help() async throws {
    let commands = try await offered("appcore ")
    #expect(commands.count(where: { $0 == "help" }) == 1, "\(commands)")
    #expect(commands.contains("sync"))
    #expect(try await offered("appcore help ex") == ["exit-codes"])
    #expect(try await offered("appcore help sy") == ["sync"])
  }

  @Test("bash completes lists of statuses and types")
  func lists() async throws {
    let statuses = try await offered("appcore invoices list --status open,p")
    #expect(statuses == ["open,partially-paid", "open,paid"])
    #expect(try await offered("appcore invoices list --type inv") == ["invoice"])
  }

  @Test("bash completes the sandbox's commands and options")
  func sandbox() async throws {
    #expect(try await offered("appcore-sandbox se") == ["serve"])
    #expect(try await offered("appcore-sandbox serve --provider st") == ["stripe"])
  }

  @Test("the scripts of other shells have help once", arguments: ["zsh", "fish"])
  func others(shell: String) async throws {
    let script = try await ChildProcess(
      try ChildProcess.built("appcore"), ["--generate-completion-script", shell], environment: [:]
    ).ending().output
    #expect(!script.contains("Show subcommand help information."))
    #expect(script.contains("exit-codes") && !script.contains("help|help"))
  }
}
