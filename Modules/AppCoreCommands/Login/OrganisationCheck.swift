import AppCore
import Models
import Storage
import Sync

/// A check after a sign-in: the user confirms that it belongs to the organisation already stored.
struct OrganisationCheck: Sendable {
  private let context: CommandContext
  private let account: String
  private let isSame: Bool
  private let asks: Bool

  /// - Parameters:
  ///   - account: the account whose records the sign-in reads.
  ///   - isSame: true if the command line confirms that the organisation is the same.
  ///   - asks: true if the command may ask the user.
  init(_ context: CommandContext, account: String, isSame: Bool, asks: Bool) {
    self.context = context
    self.account = account
    self.isSame = isSame
    self.asks = asks
  }

  func run() async throws {
    let question: OrganisationQuestion?
    do {
      question = try await context.core.organisationQuestion(account: account)
    } catch is StorageError {
      // The login is stored even if the database fails; the next sync makes the check itself.
      question = nil
    }
    guard let question else { return }
    if try await isAnswered(question) { return try await context.core.confirm(question) }
    context.terminal.note(
      "appcore: until it is known whose records this sign-in reads, "
        + "'\(question.account)' is not synced. "
        + "If it is the same organisation: "
        + "appcore sync all --account \(question.account.shellWord) --same-organisation")
  }

  private func isAnswered(_ question: OrganisationQuestion) async throws -> Bool {
    guard !isSame else { return true }
    guard asks else { return false }
    return try await context.environment.asks(
      "Account '\(question.account)' holds \(question.holding); "
        + "is this the same organisation? [y/N] "
    ) ?? false
  }
}
