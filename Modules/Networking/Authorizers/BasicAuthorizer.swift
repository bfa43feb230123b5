import Foundation
public import HTTPTypes
import Synchronization
import SystemSupport

/// A user and a password (RFC 7617).
public struct UserCredentials: Sendable, Hashable {
  /// The user.
  public let user: String
  /// The password.
  public let password: String

  /// Creates credentials.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` if the user contains a colon, or either
  ///   contains a control character (RFC 7617 section 2).
  public init(user: String, password: String) throws(SessionError) {
    let hasControl = (user + password).unicodeScalars.contains {
      $0.value < 0x20 || $0.value == 0x7F
    }
    guard !user.contains(":"), !hasControl else {
      throw .invalidRequest(
        reason: "a user name must not contain a colon, nor it or the password a control character")
    }
    self.user = user
    self.password = password
  }
}

extension UserCredentials: CustomStringConvertible, CustomReflectable {
  /// The user, without the password.
  public var description: String { "\(user):(redacted)" }
  /// A mirror without children, so that the password is never shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Asks the user for a user and a password.
public protocol UserCredentialsSource: Sendable {
  /// Asks the user; returns `nil` if the user gives none.
  ///
  /// It is called once for all waiting requests, and its task is cancelled when the last of them
  /// is.
  ///
  /// - Parameters:
  ///   - origin: the server that asks.
  ///   - realm: the server's name for the protected area, if it gave one.
  func userCredentials(for origin: Origin, realm: String?) async throws -> UserCredentials?
}

/// A user and a password (RFC 7617), fixed or requested from the user, for a set of origins.
///
/// All waiting requests share one question to the user. A request that is cancelled stops waiting,
/// and the last one cancels the question.
public final class BasicAuthorizer: RequestAuthorizer {
  private struct Entry {
    var header: String?
    var generation: UInt64 = 0
    var question: SharedTask<String?>?
    /// The number of the user's answers that the server has refused in a row.
    var refusals = 0

    /// The first waiter that is resumed takes the answer; the others find it taken.
    mutating func take(_ header: String?, from question: SharedTask<String?>) {
      guard self.question === question else { return }
      self.question = nil
      self.header = header
      generation += 1
    }

    mutating func drop(_ question: SharedTask<String?>) {
      if self.question === question { self.question = nil }
    }

    mutating func forget() {
      question = nil
      header = nil
      refusals = 0
      generation += 1
    }
  }

  private let origins: OriginSet
  private let source: (any UserCredentialsSource)?
  private let entries: Mutex<[Origin: Entry]>

  /// Creates an authorizer with credentials that never change.
  public init(_ credentials: UserCredentials, origins: Set<Origin>) {
    self.origins = OriginSet(origins)
    source = nil
    let entry = Entry(header: Self.header(credentials))
    entries = Mutex(Dictionary(uniqueKeysWithValues: origins.map { ($0, entry) }))
  }

  /// Creates an authorizer that asks when it first needs credentials, and again, at most three
  /// times, when a server rejects them.
  public init(asking source: any UserCredentialsSource, origins: Set<Origin>) {
    self.origins = OriginSet(origins)
    self.source = source
    entries = Mutex([:])
  }

  /// Adds user and password, waiting for the user if they are not known.
  ///
  /// It refuses another origin, and a request for which the user gave no credentials.
  public func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    guard origins.contains(request), let origin = Origin(request) else {
      throw SessionError.credentialsRefused(origin: Origin(request))
    }
    while true {
      // Header and generation of the same answer: a later one must not be blamed for an earlier
      // refusal.
      if let entry = entries.withLock({ $0[origin] }), let header = entry.header {
        request.headerFields[.authorization] = header
        return CredentialGeneration(rawValue: entry.generation)
      }
      guard try await ask(origin, realm: nil) != nil else {
        throw SessionError.credentialsRefused(origin: origin)
      }
    }
  }

  /// Asks the user again, if the authorizer can ask.
  public func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool {
    guard source != nil, let origin = Origin(request) else { return false }
    let (isNewer, mayAsk) = entries.withLock { entries in
      var entry = entries[origin] ?? Entry()
      guard entry.generation == generation.rawValue else { return (true, false) }
      if entry.question == nil {
        entry.header = nil
        entry.refusals += 1
      }
      entries[origin] = entry
      return (false, entry.refusals < 3)
    }
    guard !isNewer else { return true }
    guard mayAsk else { return false }
    let basic = AuthenticationChallenge.all(in: response).first { $0.scheme == "basic" }
    return try await ask(origin, realm: basic?.parameters["realm"]) != nil
  }

  /// Forgets the user's answer; requests that wait for one throw
  /// ``SessionError/credentialsRefused(origin:)``.
  public func reset() {
    guard source != nil else { return }
    let questions = entries.withLock { entries in
      defer { for origin in entries.keys { entries[origin]?.forget() } }
      return entries.compactMap { origin, entry in entry.question.map { (origin, $0) } }
    }
    for (origin, question) in questions {
      question.end(SessionError.credentialsRefused(origin: origin))
    }
  }

  private func ask(_ origin: Origin, realm: String?) async throws -> String? {
    guard let source else { return nil }
    let question = entries.withLock { entries in
      var entry = entries[origin] ?? Entry()
      if let question = entry.question, question.join() { return question }
      let question = SharedTask {
        try await source.userCredentials(for: origin, realm: realm).map(Self.header)
      }
      _ = question.join()
      entry.question = question
      entries[origin] = entry
      return question
    }
    do {
      let header = try await question.value()
      entries.withLock { $0[origin]?.take(header, from: question) }
      return header
    } catch {
      // A source may cancel its question itself, and a later request asks again.
      if !(error is CancellationError) || !Task.isCancelled {
        entries.withLock { $0[origin]?.drop(question) }
      }
      throw error
    }
  }

  private static func header(_ credentials: UserCredentials) -> String {
    header("\(credentials.user):\(credentials.password)")
  }

  /// Returns the value of `Authorization` for a user and a password separated by a colon.
  static func header(_ pair: String) -> String { "Basic " + Data(pair.utf8).base64EncodedString() }
}
