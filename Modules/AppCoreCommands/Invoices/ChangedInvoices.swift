import AppCore
import ArgumentParser
import Foundation
import Models
import Presentation
import Storage
import Synchronization
import SystemSupport

/// The invoices that have changed since the state in a file, which an export replaces at its end.
struct ChangedInvoices {
  /// The contents of the file: a position, and the accounts whose changes were written up to it.
  private struct State {
    let position: ChangePosition
    let accounts: [String]

    init(_ position: ChangePosition, of accounts: [String]) {
      (self.position, self.accounts) = (position, accounts.sorted())
    }

    /// Reads the text of a file; `nil` if it is none of a state.
    init?(_ text: String) {
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let first = words.first, let position = ChangePosition(first) else { return nil }
      self.init(position, of: Array(words.dropFirst()))
    }

    var text: String { "\(position) \(accounts.joined(separator: " "))\n" }
  }

  private let name: String
  private let path: String

  /// - Parameter name: the file; it need not exist.
  init(since name: String, in environment: CommandEnvironment) {
    (self.name, path) = (name, environment.path(name))
  }

  /// Writes a line for each invoice that has changed, deleted and forgotten ones included.
  func export(
    _ global: GlobalOptions, _ accounts: AccountsOption, _ output: OutputOption,
    in environment: CommandEnvironment
  ) async throws {
    let files = [path, output.output.map(environment.path)].map {
      $0.map { URL(filePath: $0).standardizedFileURL }
    }
    guard files[0] != files[1] else {
      throw ValidationError("--changes-since and --output name the same file.")
    }
    let state = try await stored(in: environment)
    try await CommandContext.run(global, accounts: accounts, in: environment) { context in
      let database = try await context.database()
      try await context.requireContents(
        of: .invoices, in: database, for: output.file(in: environment.currentDirectory))
      // A state that cannot be written must fail before the lines that it stands for.
      let file = try await BlockingWork.run { [path] in try OutputFile(path, in: "/") }
      do {
        let end = try await write(output, since: state, of: database, in: context)
        try await BlockingWork.run {
          // The reader may have left before the end.
          guard let end else { return file.discard() }
          let text = State(end, of: context.accounts).text
          guard file.write(Array(text.utf8)) == .written else { throw file.failure }
          try file.finish()
        }
      } catch {
        await BlockingWork.run { file.discard() }
        throw error
      }
    }
  }

  /// Returns the position after the lines; `nil` if not all of them were written.
  private func write(
    _ output: OutputOption, since state: State?, of database: LocalDatabase?,
    in context: CommandContext
  ) async throws -> ChangePosition? {
    let names = context.accounts
    let isOfOthers = state.map { !Set($0.accounts).isSuperset(of: names) } ?? false
    let end = Mutex<ChangePosition?>(nil)
    try await output.write(in: context) { terminal in
      let rows = RowFormat<StoredChange>.jsonLines {
        ChangesDocument.appendInvoice(of: $0, to: &$1)
      }
      let count = try await rows.write(to: terminal) { body in
        guard let database else { return }
        let (next, isKnown) = try await database.readChanges { reader in
          let known = state.flatMap { reader.knows($0.position) ? $0.position : nil }
          _ = try reader.forEach(
            after: isOfOthers ? nil : known, of: [.invoice], accounts: names
          ) { change in
            try body(change)
            return true
          }
          return (reader.end, known == state?.position)
        }
        end.withLock { $0 = next }
        if !isKnown || isOfOthers {
          let what = isKnown ? "these accounts" : "this database"
          context.terminal.note(
            "The state in \(printable(path)) is not of \(what); all invoices are written.")
        }
      }
      return HumanText.count(count, .invoices)
    }
    return end.withLock(\.self)
  }

  private func stored(in environment: CommandEnvironment) async throws -> State? {
    let path = path
    guard await BlockingWork.run({ FileManager.default.fileExists(atPath: path) }) else {
      return nil
    }
    let text = try await environment.text(ofFile: name)
    guard let state = State(text) else {
      throw ConfigurationError(source: name, problem: "no state of an export of changes")
    }
    return state
  }
}
