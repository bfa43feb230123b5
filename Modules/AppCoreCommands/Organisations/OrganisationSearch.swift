import AppCore
import Authentication
import Documents
import Models
import Providers

/// The organisations of every login, or of one.
struct OrganisationSearch: Sendable {
  /// The organisations, by login and in the provider's order.
  private(set) var found: [ReachedOrganisation] = []
  /// The failures of logins that could not be asked.
  private(set) var failures: [Failure] = []

  /// Asks the logins.
  ///
  /// - Parameter login: the account whose login is asked; `nil` asks all that can list
  ///   organisations.
  init(_ login: String?, in context: CommandContext) async throws {
    let core = context.core
    let configuration = core.configuration
    var logins = configuration.logins.filter { name in
      configuration.listsOrganisations(configuration.accounts[name]?.provider ?? "")
    }
    if let login {
      // An unknown account has a message of its own.
      let provider = try await core.state(ofAccount: login).provider
      guard configuration.listsOrganisations(provider) else { throw Self.noList(provider) }
      logins = [configuration.login(of: login)]
    }
    guard !logins.isEmpty else { throw Self.noList(nil) }
    for name in logins {
      do {
        let provider = configuration.accounts[name]?.provider ?? ""
        let text = "Asking \(CoreConfiguration.title(ofProvider: provider)) for its organisations"
        found += try await context.waiting(
          text + (logins.count > 1 ? " (login '\(name)')…" : "…")
        ) { _ in
          try await core.reachedOrganisations(account: name)
        }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        var failure = Failure(error, in: configuration, account: name)
        if logins.count > 1 { failure.account = name }
        failures.append(failure)
      }
    }
  }

  /// Returns the organisations that a text names, of which there has to be one.
  ///
  /// - Throws: ``Failures``.
  func organisation(named text: String) throws -> ReachedOrganisation {
    let matches = found.named(text)
    guard let only = matches.first, matches.count == 1 else {
      if matches.isEmpty, let failures = Failures(failures) { throw failures }
      let available = HumanText.some(
        (matches.isEmpty ? found : matches).map { reached in
          let organisation = reached.organisation
          return "\(organisation) (\(organisation.id))"
        })
      throw Failures(
        Failure(
          .unclassified, matches.isEmpty ? "not-found" : "ambiguous",
          (matches.isEmpty ? "no login reaches '\(text)'" : "several organisations match '\(text)'")
            + "; available: \(available)", "List them with: appcore organisations"))
    }
    return only
  }

  private static func noList(_ provider: String?) -> Failures {
    let message =
      provider.map { "\(CoreConfiguration.title(ofProvider: $0)) lists no organisations" }
      ?? "the providers of your accounts list no organisations"
    return Failures(
      Failure(
        .configuration, "no-organisations", message,
        "Add an account with a login of its own for each organisation."))
  }
}
