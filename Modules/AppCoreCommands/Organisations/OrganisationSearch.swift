import AppCore
import ErrorCodes
import Models
import Presentation
import Providers

/// The organisations of every login, or of one, with the failures as they are reported.
struct OrganisationSearch: Sendable {
  private let reached: ReachedOrganisations
  /// The failures of logins that could not be asked.
  let failures: [Failure]

  /// The organisations, by login and in the provider's order.
  var found: [ReachedOrganisation] { reached.found }

  /// Asks the logins.
  ///
  /// - Parameter login: the account whose login is asked; `nil` asks all that can list
  ///   organisations.
  init(_ login: String?, in context: CommandContext) async throws {
    let (core, configuration) = (context.core, context.core.configuration)
    let isOne = login != nil || configuration.loginsListingOrganisations.count < 2
    let reached = try await context.waiting(first: "Asking for the organisations…") { show in
      try await core.reachedOrganisations(ofLogins: login.map { [$0] }) { name in
        let provider = configuration.accounts[name]?.provider ?? ""
        show(
          "Asking \(configuration.title(ofProvider: provider)) for its organisations"
            + (isOne ? "…" : " (login '\(name)')…"))
      }
    }
    guard !reached.asked.isEmpty else {
      throw Self.noList(
        login.flatMap { configuration.accounts[$0] }.map {
          configuration.title(ofProvider: $0.provider)
        })
    }
    self.reached = reached
    failures = reached.failures.map { failed in
      var failure = Failure(failed.error, in: configuration, account: failed.login)
      if reached.asked.count > 1 { failure.account = failed.login }
      return failure
    }
  }

  /// Returns the organisations that a text names, of which there has to be one.
  ///
  /// - Throws: ``Failures``.
  func organisation(named text: String) throws -> ReachedOrganisation {
    switch reached.organisation(named: text) {
    case .only(let organisation): return organisation
    case .several(let matches):
      throw Self.unmatched(.ambiguous, "several organisations match '\(text)'", matches)
    case .missing:
      let similar = Set(found.map(\.organisation).resembling(text))
      throw Failures(failures)
        ?? Self.unmatched(
          .notFound, "no login reaches '\(text)'",
          found.filter { similar.contains($0.organisation) })
    }
  }

  private static func unmatched(
    _ code: ErrorCode, _ message: String, _ available: [ReachedOrganisation]
  ) -> Failures {
    // Organisations of one name may differ in their login alone.
    let names = available.map {
      "\($0.organisation) (\($0.organisation.id)\(code == .ambiguous ? ", login '\($0.login)'" : ""))"
    }
    return Failures(
      Failure(
        code,
        "\(message); available: "
          + (code == .ambiguous ? names.joined(separator: ", ") : HumanText.some(names)),
        Hint("List them with", ["organisations"])))
  }

  private static func noList(_ provider: String?) -> Failures {
    let message =
      provider.map { "\($0) lists no organisations" }
      ?? "the providers of your accounts list no organisations"
    return Failures(
      Failure(
        .noOrganisations, message,
        "Add an account with a login of its own for each organisation."))
  }
}
