import AppCore
import ArgumentParser
import Models
import Storage

/// `appcore contacts show`.
struct ContactsShowCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one contact.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Argument(help: ArgumentHelp("The contact's id, or words of its name.", valueName: "name"))
  var name: String

  func run(in environment: CommandEnvironment) async throws {
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      let found =
        try await context.database()?.contacts(named: name, account: context.account) ?? []
      guard let only = found.first, found.count == 1 else { throw Failures(failure(found)) }
      try await context.terminal.print(
        ContactShowDocument(contact: ContactDocument(only)), text: ContactSheet(stored: only).text)
    }
  }

  private func failure(_ found: [StoredContact]) -> Failure {
    guard let first = found.first else {
      return Failure(
        .unclassified, "not-found", "no contact has the name or id '\(name)'",
        "appcore contacts list")
    }
    let named = found.map { "\($0.contact.name ?? "-") (\($0.contact.id))" }
    let count = found.count == 10 ? "10 or more" : "\(found.count)"
    return Failure(
      .unclassified, "ambiguous",
      "\(count) contacts match '\(name)': \(named.joined(separator: ", "))",
      "Show one by its id: appcore contacts show \(first.contact.id.shellWord)")
  }
}
