import AppCore
import ArgumentParser

/// The last steps of a setup, with the new configuration: the sign-in and the first sync.
struct SetupRun: Sendable {
  /// The sign-in, before it has a context.
  struct Login: Sendable {
    var method: LoginFlow.Method
    var asks = true
    var organisation: String?
    var opener: Opener?
  }

  let flow: Login
  let syncs: Bool
  let global: GlobalOptions
  let account: String

  func run(in environment: CommandEnvironment) async throws {
    let (flow, syncs, account) = (flow, syncs, account)
    let arguments = try SyncArguments.parse([])
    try await CommandContext.run(global, account: account, in: environment) { context in
      var login = LoginFlow(context: context, method: flow.method)
      login.asks = flow.asks
      login.organisation = flow.organisation
      login.opener = flow.opener
      do {
        guard try await login.run(), syncs else { return }
      } catch {
        let command = context.core.configuration.signInCommand(account: account)
        context.terminal.note(Hint("The configuration is complete. To sign in later", command))
        throw error
      }
      context.terminal.note("First sync:")
      try await SyncSequence(context, arguments).runAll()
    }
  }
}
