import AppCore
import ArgumentParser
import Authentication
import Documents
import Models

/// `appcore organisations add`.
struct OrganisationsAddCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add organisations as accounts that share the login.",
    discussion: """
      Each account gets a file in the folder accounts.d beside the configuration file; that file \
      stays unchanged. Organisations that already have an account are skipped.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var loginOption: LoginOption

  @Argument(help: ArgumentHelp("Names or ids of organisations.", valueName: "name-or-id"))
  var organisations: [String] = []

  @Flag(help: "Add every organisation that no account has.")
  var all = false

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Use this account name; by default, derive one from the organisation's name.",
      valueName: "account"))
  var accountName: String?

  func validate() throws {
    guard all != !organisations.isEmpty else {
      throw ValidationError("Name organisations, or use --all.")
    }
    guard let accountName else { return }
    guard organisations.count == 1 else {
      throw ValidationError("--as names one account; name one organisation.")
    }
    guard Account.isValid(name: accountName) else {
      throw ValidationError("--as takes 1 to 64 letters, digits, '.', '_' or '-'.")
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    let (login, names, accountName) = (loginOption.login, organisations, accountName)
    let isForAll = all
    try await CommandContext.run(global, account: login, in: environment) { context in
      let search = try await OrganisationSearch(login, in: context)
      // What could be listed is added, whatever became of the other logins.
      if search.found.isEmpty, let failures = Failures(search.failures) { throw failures }
      let wanted = isForAll ? search.found : try names.map(search.organisation)
      let outcome = try await context.core.addAccounts(for: wanted, named: accountName)
      let document = AddedAccountsDocument(outcome)
      try await context.terminal.print(document, text: document.text)
      if isForAll, let failures = Failures(search.failures) { throw failures }
      guard !outcome.added.isEmpty else { return }
      context.terminal.note(
        Hint("Fetch their invoices with", ["sync", "all", "--all-accounts"]))
    }
  }
}

extension AddedAccountsDocument {
  var text: String {
    let lines =
      added.map { entry in
        "Added \(entry.account) for \(printable(entry.name.value ?? entry.organisation)) "
          + "(\(printable(entry.file.value ?? "")))"
      }
      + existing.map { entry in
        "\(printable(entry.name.value ?? entry.organisation)) is account '\(entry.account)' already"
      }
    return lines.isEmpty ? "There is no organisation to add." : lines.joined(separator: "\n")
  }
}
