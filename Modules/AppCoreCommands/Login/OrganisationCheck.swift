import AppCore
import Models
import Storage
import Sync

/// Asks, after a sign-in, what only the user can say of it: whether it is of the organisation whose
/// records the account holds.
struct OrganisationCheck: Sendable {
  private let context: CommandContext
  private let isSame: Bool
  private let asks: Bool

  /// - Parameters:
  ///   - isSame: whether the command line says that it is.
  ///   - asks: whether somebody may be asked.
  init(_ context: CommandContext, isSame: Bool, asks: Bool) {
    self.context = context
    self.isSame = isSame
    self.asks = asks
  }

  func run() async throws {
    let question: OrganisationQuestion?
    do {
      question = try await context.core.organisationQuestion(account: context.account)
    } catch is StorageError {
      // The login is stored whatever the database is like; a sync asks for itself.
      question = nil
    }
    guard let question else { return }
    if try await isAnswered(question) { return try await context.core.confirm(question) }
    context.terminal.note(
      "appcore: until it is known whose records this sign-in reads, '\(question.account)' is not synced. "
        + "If it is the same organisation: "
        + "appcore sync all --account \(question.account.shellWord) --same-organisation")
  }

  private func isAnswered(_ question: OrganisationQuestion) async throws -> Bool {
    guard !isSame else { return true }
    guard asks else { return false }
    return try await context.environment.asks(
      "Account '\(question.account)' holds \(question.holding); is this the same organisation? [y/N] "
    ) ?? false
  }
}
