import AppCore
import Models
import Notifications
import SecureStore
import SystemSupport

struct ActionNotification: Sendable {
  private let actions: [NeededAction]
  private let organisations: OrganisationNames
  private let context: CommandContext

  /// Reads the state of some accounts, or of all.
  init(_ names: [String]?, in context: CommandContext) async throws {
    self.context = context
    actions = try await context.core.neededActions(accounts: names)
    organisations = await context.core.organisationNames()
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

  private var notification: DesktopNotification? {
    guard let first = actions.first else { return nil }
    // Whoever reads it has another environment than the timer.
    var program = context.terminal.program
    program.configuration =
      program.configuration ?? context.environment.variables["APPCORE_CONFIG"]
    let lines = actions.map { needed in
      "\(printable(organisations.title(of: needed.account))): \(printable(program.text(hint(for: needed))))"
    }
    let others = actions.count - 1
    let more = Hint("and \(lines.count - 5) more; see", ["status"])
    let news = if case .sync = first.action { "has no recent sync of" } else { "cannot sync" }
    return DesktopNotification(
      summary: "appcore \(news) \(printable(organisations.title(of: first.account)))"
        + (others > 0 ? " and \(HumanText.count(others, "other account"))" : ""),
      body: (lines.prefix(5) + (lines.count > 5 ? [program.text(more)] : []))
        .joined(separator: "\n"))
  }

  private func hint(for needed: NeededAction) -> Hint {
    switch needed.action {
    case .signIn:
      Hint("Sign in with", context.core.configuration.signInCommand(account: needed.account))
    case .correctConfiguration(let error): Hint(error.description)
    case .openSecretStore(let error):
      Hint("\(error). " + (error.recoverySuggestion ?? ""))
    case .solve(let resource, let cause):
      Hint("\(resource): \(cause)").then("See", ["status"])
    case .sync(let resource, let completeAt):
      Hint(
        "\(resource): "
          + (completeAt.map { "last complete sync on \(LocalTime($0).day)" }
            ?? "no sync was ever complete")
      ).then("See", ["status"])
    }
  }
}
