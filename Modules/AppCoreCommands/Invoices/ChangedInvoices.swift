import AppCore
import ErrorCodes
import Foundation
import Models
import Presentation
import Storage
import Synchronization
import SystemSupport

/// The invoices that have changed since the state in a file, which an export replaces at its end.
struct ChangedInvoices {
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
    let position = try await stored(in: environment)
    try await CommandContext.run(global, accounts: accounts, in: environment) { context in
      let (database, names) = (try await context.database(), context.accounts)
      try await context.requireContents(
        of: .invoices, in: database, for: output.file(in: environment.currentDirectory))
      let end = Mutex<ChangePosition?>(nil)
      try await output.write(in: context) { terminal in
        let rows = RowFormat<StoredChange>.jsonLines {
          ChangesDocument.appendInvoice(of: $0, to: &$1)
        }
        let count = try await rows.write(to: terminal) { body in
          guard let database else { return }
          let (next, isKnown) = try await database.readChanges { reader in
            let known = position.flatMap { reader.knows($0) ? $0 : nil }
            let selection = ChangeReader.Selection([.invoice], accounts: names)
            _ = try reader.forEach(after: known, selection) { change in
              try body(change)
              return true
            }
            return (reader.end, known == position)
          }
          end.withLock { $0 = next }
          if !isKnown {
            context.terminal.note(
              "The state in \(printable(path)) is not of this database; all invoices are written.")
          }
        }
        return HumanText.count(count, .invoices)
      }
      // Not if the reader has left before the end.
      guard let next = end.withLock(\.self) else { return }
      try await BlockingWork.run { try store(next) }
    }
  }

  private func stored(in environment: CommandEnvironment) async throws -> ChangePosition? {
    let path = path
    guard await BlockingWork.run({ FileManager.default.fileExists(atPath: path) }) else {
      return nil
    }
    let text = try await environment.text(ofFile: name)
    guard let position = ChangePosition(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw ConfigurationError(source: name, problem: "no state of an export of changes")
    }
    return position
  }

  private func store(_ position: ChangePosition) throws {
    do {
      try Data("\(position)\n".utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw Failures(
        Failure(
          .outputFile,
          "'\(printable(path))' is not written: \(ConfigurationLoader.reason(error, of: path))",
          "Name a file in a folder of your own."))
    }
  }
}
