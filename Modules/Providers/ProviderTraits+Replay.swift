import Sync

extension ProviderTraits {
  /// What a provider does with a refresh token that is sent once more after it was spent.
  ///
  /// It decides what follows a renewal whose answer was lost, to a crash or to the network.
  public enum RefreshTokenReplay: Sendable, Hashable {
    /// It is accepted for so long after it was first spent: it is sent again at once.
    case accepted(for: Duration)
    /// It is refused, and nothing else comes of it: it is sent again when the access token has ended, in
    /// case that the renewal never reached the provider.
    case refused
    /// It ends the login for all who share it (RFC 9700 section 4.14.2): it is never sent again, and a person
    /// has to sign in when the access token has ended.
    case forbidden
  }
}
