import AppCore
import ArgumentParser
import Documents

/// `appcore organisations list`.
struct OrganisationsListCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the organisations that each login reaches.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var loginOption: LoginOption

  func run(in environment: CommandEnvironment) async throws {
    let login = loginOption.login
    try await CommandContext.run(global, account: login, in: environment) { context in
      let search = try await OrganisationSearch(login, in: context)
      let document = ReachedOrganisationsDocument(search.found)
      let style = TableStyle(
        global.color, sink: context.terminal.console.output,
        variables: context.environment.variables)
      if context.terminal.isJSON {
        try await context.terminal.console.printJSON(document)
      } else if !search.found.isEmpty {
        try await context.terminal.console.printFormatted(document.table(style))
      } else if search.failures.isEmpty {
        context.terminal.note("The login reaches no organisation.")
      }
      if let failures = Failures(search.failures) { throw failures }
    }
  }
}

extension ReachedOrganisationsDocument {
  /// Returns the organisations as a table; the login is shown if there are several.
  func table(_ style: TableStyle) -> String {
    let showsLogins = Set(organisations.map(\.login)).count > 1
    let columns =
      [TableColumn(name: "ORGANISATION", shortest: 12)]
      + (showsLogins ? [TableColumn(name: "LOGIN", shortest: 8)] : [])
      + [TableColumn(name: "ACCOUNT", shortest: 8), TableColumn(name: "ID", omission: 0)]
    let rows = organisations.map { entry in
      [TableCell(entry.name.value ?? "-")] + (showsLogins ? [TableCell(entry.login)] : [])
        + [TableCell(entry.account.value ?? "-"), TableCell(entry.id)]
    }
    let layout = TableLayout(columns, rows: rows, style: style)
    return ([layout.header] + rows.map(layout.line)).map { $0 + "\n" }.joined()
  }
}
