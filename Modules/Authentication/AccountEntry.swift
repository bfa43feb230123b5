import Foundation
import Networking
import SystemSupport

/// What the authenticator knows of one account; a value, so that it changes as a whole.
struct AccountEntry {
  let account: Account
  let lease: CredentialLease
  /// The renewal under way; it belongs to nobody who waits for it.
  var flight: SharedOutcome<Credential>?
  /// The task of that renewal; nobody ends it once its exchange has begun.
  var renewal: Task<Void, Never>?
  /// The sign-in under way.
  var signIn: SharedTask<AccountStatus>?
  /// The sign-in that has its tokens and is storing them.
  var storingSignIn: SharedTask<AccountStatus>?
  /// Grows with every sign-in and sign-out, so that what began before can be told from what is.
  var epoch = 0
  /// The newest credential that this process has seen.
  var held: Credential?
  /// The held credential could not be stored; the lock is kept until it is.
  var unsaved: CredentialRenewal.Unsaved?
  /// Whether somebody is trying to store it from time to time.
  var isSaving = false
  /// The endpoints, once they are known.
  var server: AuthorizationServer?
  /// Uptimes of renewals that a rejected, yet unexpired token asked for.
  var forcedRenewals: [Duration] = []
  /// The last renewal, where it failed.
  var failure: RenewalFailure?

  init(account: Account, lease: CredentialLease) {
    self.account = account
    self.lease = lease
  }

  /// Counts one renewal on a server's 401; `false` where there were too many: then the server, or
  /// its clock, refuses fresh tokens, and more of them would be a storm.
  mutating func admitsForcedRenewal(at uptime: Duration) -> Bool {
    forcedRenewals.removeAll { uptime - $0 > .seconds(60) }
    guard forcedRenewals.count < 3 else { return false }
    forcedRenewals.append(uptime)
    return true
  }

  /// Forgets everything of the login that was.
  mutating func forget() {
    epoch += 1
    flight = nil
    renewal = nil
    held = nil
    unsaved?.lock.release()
    unsaved = nil
    isSaving = false
    forcedRenewals = []
    failure = nil
    lease.clear()
  }
}
