import AppCore
import Foundation
import Models
import Notifications
import SystemSupport

/// The actions that accounts need of the user, as a desktop notification.
struct NeededActions: Sendable {
  /// The time for which the same notification is not repeated.
  private static let pause: TimeInterval = 24 * 60 * 60

  private let accounts: [AccountState]
  private let context: CommandContext

  /// Reads the state of some accounts, or of all.
  init(_ names: [String]?, in context: CommandContext) async throws {
    let core = context.core
    var accounts: [AccountState] = []
    for name in names ?? core.configuration.accounts.keys.sorted() {
      accounts.append(try await core.state(ofAccount: name))
    }
    (self.accounts, self.context) = (accounts, context)
  }

  /// Shows the notification, unless there is nothing to do or it was shown within the last day.
  ///
  /// A session without a notification service is no error: a server has none.
  func notify() async throws {
    guard let notification else { return try forget() }
    let text = notification.summary + "\n" + notification.body + "\n"
    if try shownRecently(text) { return }
    switch await notification.show(on: SessionBus.address(in: context.environment.variables)) {
    case .shown: try AtomicFile.replace(path, with: Data(text.utf8), isDurable: false)
    case .noService: break
    case .failed:
      context.terminal.note("appcore: the desktop did not show the notification: \(text)")
    }
  }

  /// The notification; `nil` if no account needs the user.
  var notification: DesktopNotification? {
    var logins: Set<String> = []
    let needed = accounts.compactMap { state -> (account: String, action: UserAction)? in
      guard let action = state.userAction else { return nil }
      guard case .signIn = action else { return (state.name, action) }
      // One sign-in serves every account that shares the login.
      let login = context.core.configuration.login(of: state.name)
      return logins.insert(login).inserted ? (login, action) : nil
    }
    guard let first = needed.first else { return nil }
    let lines = needed.map { account, action in
      "\(printable(account)): \(printable(Self.text(of: action, account)))"
    }
    let others = needed.count - 1
    return DesktopNotification(
      summary: "appcore cannot sync \(printable(first.account))"
        + (others > 0 ? " and \(HumanText.count(others, "other account"))" : ""),
      body: lines.prefix(5).joined(separator: "\n")
        + (lines.count > 5 ? "\nand \(lines.count - 5) more; see: appcore status" : ""))
  }

  private static func text(of action: UserAction, _ account: String) -> String {
    switch action {
    case .signIn: "Sign in with: appcore login --account \(account.shellWord)"
    case .correctConfiguration(let error): error.description
    case .solve(let resource, let cause):
      "\(resource.rawValue): \(cause). See: appcore sync \(resource.rawValue)"
    }
  }

  // The last notification and, as its time of change, when it was shown.
  private var path: String {
    Directories(environment: context.environment.variables).state + "/notified"
  }

  private func shownRecently(_ text: String) throws -> Bool {
    guard let shown = FileManager.default.contents(atPath: path), shown == Data(text.utf8) else {
      return false
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let date = attributes[.modificationDate] as? Date else { return false }
    let age = context.environment.time.wall().timeIntervalSince(date)
    return (0..<Self.pause).contains(age)
  }

  /// Lets the next need be shown at once, also if it is the same as the last.
  private func forget() throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    try FileManager.default.removeItem(atPath: path)
  }
}
