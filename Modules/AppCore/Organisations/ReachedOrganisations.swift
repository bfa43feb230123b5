import Providers

/// The organisations that several logins reach, and the logins that could not be asked.
public struct ReachedOrganisations: Sendable {
  /// The failure of a login that was asked.
  public struct Failure: Sendable {
    /// The account that has the login.
    public let login: String
    /// The error, as ``ApplicationCore/reachedOrganisations(account:)`` throws it.
    public let error: any Error
  }

  /// The organisation that a text names.
  public enum Match: Sendable, Equatable {
    /// The text names this one only.
    case only(ReachedOrganisation)
    /// No login that answered reaches such an organisation; one of the `failures` may.
    case missing
    /// The text names several.
    case several([ReachedOrganisation])
  }

  /// The accounts whose logins were asked; none if no provider lists organisations.
  public internal(set) var asked: [String] = []
  /// The organisations, by login and in the provider's order.
  public internal(set) var found: [ReachedOrganisation] = []
  /// The failures of logins, in the order in which they were asked.
  public internal(set) var failures: [Failure] = []

  /// Returns the organisation with an identifier, or else the one with a name, whatever its case.
  public func organisation(named text: String) -> Match {
    let matches = found.named(text)
    guard let first = matches.first else { return .missing }
    return matches.count == 1 ? .only(first) : .several(matches)
  }
}

extension ApplicationCore {
  /// Returns the organisations that logins reach, each with the account that has it.
  ///
  /// It asks one login after the other; one that fails stops no other.
  ///
  /// - Parameters:
  ///   - accounts: the accounts whose logins are asked; `nil` takes all. Those whose provider lists
  ///     no organisations are left out, as in ``CoreConfiguration/loginsListingOrganisations``.
  ///   - onAsking: called with the account of each login before it is asked.
  /// - Throws: `AuthenticationError.unknownAccount`, ``ConfigurationError``; `CancellationError`.
  public func reachedOrganisations(
    ofLogins accounts: [String]? = nil, onAsking: (_ login: String) -> Void = { _ in }
  ) async throws -> ReachedOrganisations {
    for account in accounts ?? [] { _ = try accountConfiguration(account) }
    let wanted = accounts.map { Set($0.map(configuration.login)) }
    var reached = ReachedOrganisations()
    for login in configuration.loginsListingOrganisations where wanted?.contains(login) ?? true {
      reached.asked.append(login)
      onAsking(login)
      do {
        reached.found += try await reachedOrganisations(account: login)
      } catch {
        if Task.isCancelled || error is CancellationError { throw CancellationError() }
        reached.failures.append(.init(login: login, error: error))
      }
    }
    return reached
  }
}
