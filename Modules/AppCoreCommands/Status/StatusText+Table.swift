import Authentication
import Documents
import Models

// Many accounts, which would fill pages.
extension StatusText {
  /// The number of accounts above which each has one line.
  private static let many = 10

  /// Returns true if each account has one line in a table.
  func isTable(_ document: StatusDocument) -> Bool {
    document.accounts.count > Self.many && document.accounts.allSatisfy { $0.runs == nil }
  }

  /// Returns a line for each account, and the details of those that need the user.
  ///
  /// Accounts that use the login of another need what that one needs.
  func table(of accounts: [StatusDocument.Account]) -> [String] {
    let rows = accounts.map { account in
      [
        TableCell(account.name),
        TableCell(sandbox(account) + account.login + (account.needsUser ? " !" : "")),
      ]
        + Resource.allCases.map { TableCell(summary(of: $0, account) ?? "") }
    }
    let columns =
      [.account, TableColumn(name: "LOGIN")]
      + Resource.allCases.map { TableColumn(name: $0.rawValue.uppercased(), shortest: 8) }
    let layout = TableLayout(columns, rows: rows, style: style)
    let works = [AccountStatus.State.valid, .expired].map(\.rawValue)
    let needing = accounts.filter {
      $0.needsUser && ($0.sharedLogin.value == nil || works.contains($0.login))
    }
    return [layout.header] + rows.map(layout.line)
      + (needing.isEmpty ? [] : ["", "Needs you (!):"])
      + needing.flatMap(lines) + [""]
  }
}
