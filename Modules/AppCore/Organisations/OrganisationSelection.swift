public import Providers

/// The organisation that syncs of an account read after a sign-in, or those to choose from.
public enum OrganisationSelection: Sendable, Equatable {
  /// The configuration names it; `nil` if the login does not reach it.
  case configured(Organisation?)
  /// The login reaches no other; `nil` if the provider lists none.
  case only(Organisation?)
  /// The login reaches several, and the user chooses one; `earlier` is the one that was chosen for
  /// the login before, which stays unless the user names another.
  case several([Organisation], earlier: Organisation?)

  /// The organisation that needs no choice; `nil` if there is none.
  public var settled: Organisation? {
    switch self {
    case .configured(let organisation), .only(let organisation): organisation
    case .several: nil
    }
  }
}

extension ApplicationCore {
  /// Returns the organisation that syncs of an account read after a sign-in, or those to choose
  /// from with ``chooseOrganisation(_:account:)``.
  ///
  /// - Parameters:
  ///   - name: the account.
  ///   - earlier: the identifier of the organisation that was chosen before the sign-in, as
  ///     `Authenticator.storedLogin(of:)` returned it then.
  /// - Throws: as ``organisations(account:)``.
  public func organisationSelection(
    account name: String, earlier: String? = nil
  ) async throws -> OrganisationSelection {
    let found = try await organisations(account: name)
    if let configured = try accountConfiguration(name).tenantID {
      return .configured(found.first { $0.id == configured })
    }
    guard found.count > 1 else { return .only(found.first) }
    return .several(found, earlier: found.first { $0.id == earlier })
  }
}
