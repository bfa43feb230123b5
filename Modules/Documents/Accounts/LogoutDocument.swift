package import Authentication

/// The document that `appcore logout` prints.
package struct LogoutDocument: Encodable {
  let schemaVersion = 1
  let accounts: [Entry]

  package struct Entry: Encodable {
    package let account: String
    package let wasSignedIn: Bool
    package let revoked: Bool
    package let forgotten: Bool
    /// The other accounts whose login this ended.
    package let sharedBy: [String]

    package init(
      account: String, _ report: SignOutReport, forgotten: Bool, sharedBy: [String] = []
    ) {
      self.account = account
      wasSignedIn = report.wasSignedIn
      revoked = report.isRevoked
      self.forgotten = forgotten
      self.sharedBy = sharedBy
    }
  }

  package init(_ accounts: [Entry]) { self.accounts = accounts }
}
