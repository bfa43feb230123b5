import AppCore
import Models
import Notifications
import SecureStore
import SystemSupport

/// The actions that accounts need of the user, as a desktop notification.
struct ActionNotification: Sendable {
  private let actions: [NeededAction]
  private let context: CommandContext

  /// Reads the state of some accounts, or of all.
  init(_ names: [String]?, in context: CommandContext) async throws {
    self.context = context
    actions = try await context.core.neededActions(accounts: names)
  }

  /// Shows the notification, unless there is nothing to do or it was shown within the last day.
  ///
  /// A session without a notification service is no error: a server has none.
  func show() async throws {
    let variables = context.environment.variables
    let pause = NotificationPause(
      directories: Directories(environment: variables), time: context.environment.time)
    guard let notification else { return try pause.end() }
    let text = notification.summary + "\n" + notification.body + "\n"
    guard try pause.permits(text) else { return }
    switch await notification.show(on: SessionBus.address(in: variables)) {
    case .shown: try pause.begin(with: text)
    case .noService: break
    case .failed:
      context.terminal.note("appcore: the desktop did not show the notification: \(text)")
    }
  }

  /// The notification; `nil` if no account needs the user.
  private var notification: DesktopNotification? {
    guard let first = actions.first else { return nil }
    let lines = actions.map { needed in
      "\(printable(needed.account)): \(printable(text(of: needed)))"
    }
    let others = actions.count - 1
    // Whoever reads it has another environment than the timer.
    var program = context.terminal.console.program
    program.configuration =
      program.configuration ?? context.environment.variables["APPCORE_CONFIG"]
    return DesktopNotification(
      summary: "appcore cannot sync \(printable(first.account))"
        + (others > 0 ? " and \(HumanText.count(others, "other account"))" : ""),
      body: program.hints(
        in: lines.prefix(5).joined(separator: "\n")
          + (lines.count > 5 ? "\nand \(lines.count - 5) more; see: appcore status" : "")))
  }

  private func text(of needed: NeededAction) -> String {
    switch needed.action {
    case .signIn:
      "Sign in with: " + context.core.configuration.signInCommand(account: needed.account)
    case .correctConfiguration(let error): error.description
    case .openSecretStore(let error):
      "\(error). " + (error.recoverySuggestion ?? "")
    case .solve(let resource, let cause):
      "\(resource.rawValue): \(cause). See: appcore status"
    }
  }
}
