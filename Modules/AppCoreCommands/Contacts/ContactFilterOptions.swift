import ArgumentParser
import Models
import Storage

/// The options that select contacts.
struct ContactFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep contacts with these words in name or e-mail (the last may be a prefix), or with this "
        + "id or its first 8 characters.",
      valueName: "text"))
  var search: String?

  @Flag(help: "Include deleted contacts.")
  var all = false

  /// The query of these options, without an account yet.
  var query: ContactQuery {
    var query = ContactQuery()
    query.search = search
    query.includesDeleted = all
    return query
  }

  /// Writes on standard error why there are no contacts.
  static func noteEmpty(
    _ query: ContactQuery, _ database: LocalDatabase?, in context: CommandContext
  ) async throws {
    let terminal = context.terminal
    guard !terminal.isJSON else { return }
    var everything = ContactQuery()
    (everything.accounts, everything.includesDeleted) = (query.accounts, true)
    let stored = try await database?.contactCount(matching: everything) ?? 0
    guard stored > 0 else { return terminal.note(context.nothingStored(of: .contacts)) }
    terminal.note("No contacts match; \(stored.grouped) stored, deleted ones included")
  }
}
