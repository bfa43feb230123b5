/// An action that an account needs of the user.
public struct NeededAction: Sendable {
  /// The account to act on; for an action on a login, the one that has it.
  public let account: String
  /// The action.
  public let action: UserAction
}

extension ApplicationCore {
  /// Returns the actions that accounts need of the user, for a front end to notify the user of.
  ///
  /// A failure is among them if no sync succeeds before the user has acted, as
  /// ``AccountState/userAction`` decides; a lost connection is not. Accounts that share a login
  /// need one action for it. ``NotificationPause`` keeps a front end from repeating itself.
  ///
  /// - Parameter names: the accounts; all of them, by name, if `nil`.
  /// - Throws: as ``state(ofAccount:runs:onWait:)``.
  public func neededActions(accounts names: [String]? = nil) async throws -> [NeededAction] {
    var needed: [NeededAction] = []
    var logins: Set<String> = []
    for name in names ?? configuration.accounts.keys.sorted() {
      guard let action = try await state(ofAccount: name).userAction else { continue }
      switch action {
      case .signIn, .openSecretStore: break
      case .correctConfiguration, .solve:
        needed.append(NeededAction(account: name, action: action))
        continue
      }
      let login = configuration.login(of: name)
      if logins.insert(login).inserted {
        needed.append(NeededAction(account: login, action: action))
      }
    }
    return needed
  }
}
