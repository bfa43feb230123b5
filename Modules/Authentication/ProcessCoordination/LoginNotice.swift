import Foundation
import Glibc
import Logging
import Networking
import SystemSupport

/// A small file beside the lock that informs other processes of a changed login.
///
/// It holds nothing secret. Its first line is the state of the login; the lines after it are the
/// newest changes, each with a number: two changes that cancel each other are both there, in their
/// order. A process that watches the folder need not poll the keyring. A late write can bring back
/// the record of a login that was signed out; the notice shows that the record no longer counts.
struct LoginNotice: Sendable {
  enum State: Sendable, Equatable {
    case stored(CredentialGeneration)
    case signedOut(loginID: String)
  }

  /// A change of the login, with the number that it has in this file.
  struct Change: Sendable, Equatable {
    fileprivate(set) var number = 0
    let kind: CredentialChange.Kind
    let loginID: String
    var generation = CredentialGeneration(rawValue: 0)
    var expiresAt: Date?
  }

  private static let prefix = "auth-"
  private static let suffix = ".notice"
  private static let mostChanges = 100

  private let path: String

  init(account: String, folder: String) {
    path = folder + "/" + Self.prefix + account + Self.suffix
  }

  static func account(ofFile name: String) -> String? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    return String(name.dropFirst(prefix.count).dropLast(suffix.count))
  }

  /// Writes that a credential was stored, unless its login was signed out meanwhile.
  func post(_ kind: CredentialChange.Kind, _ credential: Credential) {
    guard read() != .signedOut(loginID: credential.loginID) else { return }
    post(unchecked: kind, credential)
  }

  /// Writes that a login has moved to this name, which it may have left before.
  func postMove(of credential: Credential) { post(unchecked: .signedIn, credential) }

  private func post(unchecked kind: CredentialChange.Kind, _ credential: Credential) {
    post(
      Change(
        kind: kind, loginID: credential.loginID, generation: credential.generation,
        expiresAt: credential.expiresAt))
  }

  func postSignOut(loginID: String) {
    post(Change(kind: .signedOut, loginID: loginID))
  }

  /// Writes a change; if that fails, other processes notice it later.
  ///
  /// The login's lock excludes other writers, but for a sign-out that could not wait for it.
  private func post(_ change: Change) {
    var (change, changes) = (change, changes())
    change.number = (changes.last?.number ?? 0) + 1
    changes.append(change)
    let state =
      change.kind == .signedOut
      ? "signed-out \(change.loginID)" : "stored \(change.generation.rawValue)"
    let lines = [state] + changes.suffix(Self.mostChanges).map(\.line)
    // A sign-out may post it without the lock.
    try? AtomicFile.replaceUnlocked(path, with: Data((lines.joined(separator: "\n") + "\n").utf8))
  }

  private func lines() -> [[Substring]] {
    // First, because a core of thousands of accounts asks for each, and most have no file.
    guard access(path, F_OK) == 0, let text = try? String(contentsOfFile: path, encoding: .utf8)
    else { return [] }
    return text.split(whereSeparator: \.isNewline).map { $0.split(whereSeparator: \.isWhitespace) }
  }

  func read() -> State? {
    let words = lines().first ?? []
    switch words.first {
    case "stored":
      return words.last.flatMap { UInt64($0) }
        .map { .stored(CredentialGeneration(rawValue: $0)) }
    case "signed-out": return .signedOut(loginID: words.count > 1 ? String(words[1]) : "")
    default: return nil
    }
  }

  /// Returns the newest changes, the oldest first.
  func changes() -> [Change] { lines().dropFirst().compactMap(Change.init) }
}

extension LoginNotice.Change {
  private static let names: [(CredentialChange.Kind, String)] = [
    (.signedIn, "signed-in"), (.renewed, "renewed"), (.signedOut, "signed-out"),
  ]

  /// A line of the file: number, kind, login, expiry and generation.
  fileprivate var line: String {
    var name = Self.names.first { $0.0 == kind }?.1 ?? ""
    if case .ended(let reason) = kind { name = "ended:\(reason.rawValue)" }
    let expiry = expiresAt.map { "\($0.timeIntervalSince1970)" } ?? "-"
    return "\(number) \(name) \(loginID.isEmpty ? "-" : loginID) \(expiry) \(generation.rawValue)"
  }

  fileprivate init?(_ words: [Substring]) {
    guard words.count == 5, let number = Int(words[0]), let generation = UInt64(words[4]) else {
      return nil
    }
    if let known = Self.names.first(where: { $0.1 == words[1] }) {
      kind = known.0
    } else {
      let reason = AuthenticationError.SignInReason(rawValue: String(words[1].dropFirst(6)))
      guard words[1].hasPrefix("ended:"), let reason else { return nil }
      kind = .ended(reason)
    }
    self.number = number
    loginID = words[2] == "-" ? "" : String(words[2])
    expiresAt = TimeInterval(words[3]).map(Date.init(timeIntervalSince1970:))
    self.generation = CredentialGeneration(rawValue: generation)
  }
}

/// The changes that the listeners of a login were told, so that they hear of each once: by the
/// notice that any process has written, or directly where none could be.
struct ReportedChanges: Sendable {
  /// The number of the last change of the notice that was read.
  fileprivate var number: Int
  /// The last change that was reported.
  fileprivate(set) var last: LoginNotice.Change?

  init(_ notice: LoginNotice) { number = notice.changes().last?.number ?? 0 }

  /// Returns true if the last change that was reported ended the login.
  var isEnded: Bool {
    switch last?.kind {
    case .signedOut, .ended: true
    case .signedIn, .renewed, nil: false
    }
  }

  /// Notes a change, and returns true if it was not reported before.
  fileprivate mutating func add(_ change: LoginNotice.Change) -> Bool {
    if change.kind == .signedIn || change.kind == .renewed, let last,
      last.loginID == change.loginID
    {
      guard !isEnded, change.generation.rawValue > last.generation.rawValue else { return false }
    }
    last = change
    return true
  }
}

extension AccountLogin {
  /// Reads which changes the notice has since the last time, reports them, and reacts to those of
  /// other processes.
  func noticeChanged() {
    let changes = store.notice.changes()
    // Somebody has removed the file.
    if let newest = changes.last?.number, newest < reported.number { reported.number = 0 }
    for change in changes where change.number > reported.number {
      reported.number = change.number
      react(to: change)
      report(change)
    }
  }

  /// Reports a change that the notice may not have, unless it was reported.
  func reportDirectly(_ kind: CredentialChange.Kind, _ credential: Credential? = nil) {
    noticeChanged()
    guard credential != nil || !reported.isEnded else { return }
    report(
      LoginNotice.Change(
        kind: kind, loginID: credential?.loginID ?? "",
        generation: credential?.generation ?? CredentialGeneration(rawValue: 0),
        expiresAt: credential?.expiresAt))
  }

  private func report(_ change: LoginNotice.Change) {
    guard reported.add(change) else { return }
    let isCurrent = change.kind == .signedIn || change.kind == .renewed
    changes.send(
      CredentialChange(
        account: name, kind: change.kind,
        generation: isCurrent ? change.generation.rawValue : nil,
        expiresAt: isCurrent ? change.expiresAt : nil))
  }

  private func react(to change: LoginNotice.Change) {
    switch change.kind {
    case .signedOut where latest?.loginID == change.loginID:
      // A renewal in progress notices the sign-out itself, and revokes the pair that it receives.
      guard flight == nil else { return }
      forget()
      log.notice("another process signed out", metadata: ["account": "\(name)"])
    case .signedIn, .renewed:
      guard change.generation.rawValue > (latest?.generation.rawValue ?? 0) else { return }
      failure = nil
      guard flight == nil, latest != nil else { return }
      lease.invalidate()
      log.trace("the login has changed", metadata: ["account": "\(name)"])
    case .signedOut, .ended: break
    }
  }
}
