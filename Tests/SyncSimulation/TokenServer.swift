import Authentication
import SyncSupport

/// An authorization server that knows what became of every token.
struct TokenServer: Sendable {
  /// The server's policy for a refresh token that comes a second time.
  enum Policy: Sendable {
    /// It is never spent.
    case keeps
    /// It is spent, and accepted for so long after.
    case accepts(Duration)
    /// It is spent, and ends the login where it comes once more.
    case ends
  }

  struct Tokens: Sendable {
    let access: String
    let refresh: String
    let lifetime: Int
  }

  /// The mistakes of clients.
  private(set) var wrongs: [String] = []
  /// True if the server has ended the login.
  private(set) var hasEnded = false
  private(set) var exchanges = 0

  let policy: Policy
  /// True if a client must not repeat a token that may be spent.
  let forbidsReplay: Bool
  private let lifetime: Int
  private var made = 0
  /// The time at which each access token expires.
  private var access: [String: Duration] = [:]
  /// The time at which each refresh token was spent; `nil` if it was not.
  private var refresh: [String: Duration?] = [:]
  /// The access token that came with each refresh token.
  private var pairs: [String: String] = [:]

  init(_ random: inout SeededRandom) {
    lifetime = random.within(60...1_800)
    switch random.below(4) {
    case 0: (policy, forbidsReplay) = (.keeps, false)
    case 1: (policy, forbidsReplay) = (.accepts(.seconds(1_800)), false)
    case 2: (policy, forbidsReplay) = (.ends, false)
    default: (policy, forbidsReplay) = (.ends, true)
    }
  }

  /// The setting of an account for this server.
  var replay: RefreshTokenReplay {
    switch policy {
    case .keeps: .accepted(for: .seconds(1_000_000_000))
    case .accepts(let grace): .accepted(for: grace)
    case .ends: forbidsReplay ? .forbidden : .refused
    }
  }

  /// Signs a user in.
  mutating func signIn(at now: Duration) -> Tokens {
    hasEnded = false
    refresh = [:]
    return issue(at: now, refresh: nil)
  }

  func accepts(_ token: String, at now: Duration) -> Bool {
    access[token].map { now < $0 } ?? false
  }

  /// Forgets the access tokens, as a server does that was restarted.
  mutating func forgetAccess() { access = [:] }

  /// Ends the login, as a user does at the server.
  mutating func end() { refresh = [:] }

  /// Exchanges a refresh token, or says `nil`: `invalid_grant`.
  ///
  /// - Parameter isCopy: whether something on the way has sent the request once more, of which the
  ///   client knows nothing.
  mutating func exchange(_ token: String, at now: Duration, isCopy: Bool = false) -> Tokens? {
    exchanges += 1
    guard let known = refresh[token] else {
      hasEnded = true
      return nil
    }
    if case .keeps = policy { return issue(at: now, refresh: token) }
    guard let spent = known else {
      refresh[token] = now
      return issue(at: now, refresh: nil)
    }
    if case .accepts(let grace) = policy, now - spent <= grace {
      return issue(at: now, refresh: nil)
    }
    if !isCopy { check(token, at: now) }
    end()
    hasEnded = true
    return nil
  }

  /// A spent token has come once more, to a server that does not take it.
  private mutating func check(_ token: String, at now: Duration) {
    guard case .ends = policy else { return }
    if forbidsReplay {
      wrongs.append("a spent refresh token was sent although that is forbidden")
    } else if let paired = pairs[token], let end = access[paired],
      // The client ends a token's life a tenth, or 30 s, early.
      now < end - .seconds(min(30, lifetime / 10) + 1)
    {
      wrongs.append("a spent refresh token was sent while the access token was good")
    }
  }

  private mutating func issue(at now: Duration, refresh kept: String?) -> Tokens {
    made += 1
    let tokens = Tokens(access: "a\(made)", refresh: kept ?? "r\(made)", lifetime: lifetime)
    access[tokens.access] = now + .seconds(lifetime)
    if kept == nil { refresh[tokens.refresh] = .some(nil) }
    pairs[tokens.refresh] = tokens.access
    return tokens
  }
}
