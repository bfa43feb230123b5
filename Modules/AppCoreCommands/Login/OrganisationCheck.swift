import AppCore
import Models
import Sync

/// A check after a sign-in: the user confirms that it belongs to the organisation already stored.
struct OrganisationCheck: Sendable {
  private let context: CommandContext
  private let isSame: Bool
  private let asks: Bool

  /// - Parameters:
  ///   - isSame: true if the command line confirms that the organisation is the same.
  ///   - asks: true if the command may ask the user.
  init(_ context: CommandContext, isSame: Bool, asks: Bool) {
    self.context = context
    self.isSame = isSame
    self.asks = asks
  }

  /// Asks the question of every account whose records the sign-in reads.
  func run() async throws {
    for question in try await context.core.organisationQuestions(afterSignInOf: context.account) {
      if try await isAnswered(question) {
        try await context.core.confirm(question)
      } else {
        context.terminal.note(
          Hint(
            "appcore: until it is known whose records this sign-in reads, "
              + "'\(question.account)' is not synced. If it is the same organisation",
            ["sync", "all", "--account", question.account, "--same-organisation"]))
      }
    }
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
