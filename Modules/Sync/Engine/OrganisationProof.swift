package import Models
package import Storage

/// The organisation that a run's sign-in reads, proved to be the one whose records the account
/// holds.
struct ProvenOrganisation: Sendable {
  let account: String
  /// The organisation, in the most exact form that is known.
  let source: String
  let login: String
  let signIn: SignInSource
  /// The addresses of the provider's lists; see ``FeedTraits/addresses``.
  var addresses: [Resource: String] = [:]
  var address: String?

  /// Requires that no other sign-in has replaced the proved one.
  ///
  /// Otherwise, what was read may belong to another organisation.
  ///
  /// - Throws: ``SyncError/signInChanged(account:)``.
  func requireSameSignIn() async throws {
    guard let inUse = await signIn.inUse(), inUse != login else { return }
    throw SyncError.signInChanged(account: account)
  }
}

/// Proves which organisation's records a sign-in reads, before the run stores anything.
///
/// A sign-in that is recorded with the account, at the recorded address of the list, was proved
/// before, and the server is not asked.
struct OrganisationProof<Feed: ResourceFeed> {
  let account: String
  let feed: Feed
  let store: ResourceStore<Feed.Record>
  let signIn: SignInSource
  let options: SyncOptions

  /// The result of the proof.
  struct Outcome {
    let organisation: ProvenOrganisation
    let start: Feed.Cursor?
    /// True if the checkpoint of earlier runs is of no use: the account holds nothing, and this
    /// sign-in is new.
    let startsOver: Bool
  }

  /// Proves which organisation's records the sign-in reads.
  ///
  /// - Parameters:
  ///   - login: the sign-in that requests are sent with.
  ///   - ask: asks the server for the start of the list.
  /// - Throws: ``StorageError/sourceMismatch(account:holding:stored:offered:)`` if the sign-in
  ///   belongs to another organisation, ``SyncError/organisationUnproven(account:holding:)`` if the
  ///   server cannot say.
  func run(
    _ login: String, known: Feed.Cursor?,
    _ ask: (FeedStart<Feed.Cursor>) async throws -> Feed.Cursor
  ) async throws -> Outcome {
    try await updateSource()
    let owner = try await store.database.owner(account: account)
    let isSame =
      if let owner {
        owner.login == login && !owner.isMoved(store.resource, in: feed.traits.addresses)
      } else {
        false
      }
    if let owner, isSame, signIn.isUnique || !feed.traits.identifiesOrganisation {
      return outcome(owner.source, login, start: nil)
    }
    let start = try await ask(.signIn(known: known))
    let source = feed.source(of: start)
    guard let owner else { return outcome(source, login, start: start) }
    let contents = try await store.database.contents(account: account)
    guard !contents.isEmpty else {
      return outcome(source, login, start: start, startsOver: owner.login != login)
    }
    guard source.specifies(owner.source) else {
      throw StorageError.sourceMismatch(
        account: account, holding: "\(contents)", stored: owner.source, offered: source)
    }
    // Records from before sign-ins were recorded are accepted. Otherwise a source that does not
    // identify the organisation, such as a host, proves nothing, and neither does one of another
    // server, which has numbers of its own.
    let isProved =
      source == owner.source
      && (isSame
        || feed.identifiesOrganisation(at: start)
          && !owner.isElsewhere(store.resource, in: feed.traits.addresses))
    guard isProved || owner.login == nil || options.isSameOrganisation else {
      throw SyncError.organisationUnproven(account: account, holding: "\(contents)")
    }
    return outcome(source, login, start: start)
  }

  /// Replaces a name of the organisation that an earlier version has stored.
  private func updateSource() async throws {
    guard let (beginning, replacement) = feed.traits.formerSource,
      let stored = try await store.database.owner(account: account)?.source,
      stored.hasPrefix(beginning)
    else { return }
    try await store.database.renameSource(
      stored, to: replacement + stored.dropFirst(beginning.count), account: account)
  }

  private func outcome(
    _ source: String, _ login: String, start: Feed.Cursor?, startsOver: Bool = false
  ) -> Outcome {
    Outcome(
      organisation: ProvenOrganisation(
        account: account, source: source, login: login, signIn: signIn,
        addresses: feed.traits.addresses, address: feed.traits.addresses[store.resource]),
      start: start, startsOver: startsOver)
  }
}

/// The question which organisation a new sign-in, or a list at a new address, belongs to: the one
/// whose records the account holds, or another.
///
/// Only the user can answer it.
public struct OrganisationQuestion: Sendable {
  /// The account.
  public let account: String
  /// The records that it holds, such as `1234 invoices`.
  public let holding: String
  package let login: String
  package let addresses: [Resource: String]

  /// Creates the question; `nil` if the account holds nothing, or this sign-in and these addresses
  /// are already confirmed.
  ///
  /// - Parameter isIdentified: true if the server identifies the organisation, so that only another
  ///   server is in question.
  package init?(
    account: String, _ database: LocalDatabase, _ signIn: SignInSource,
    addresses: [Resource: String], isIdentified: Bool
  ) async throws {
    guard let owner = try await database.owner(account: account) else { return nil }
    let login = try await signIn.login()
    let contents = try await database.contents(account: account)
    let isNew =
      isIdentified
      ? addresses.keys.contains { owner.isElsewhere($0, in: addresses) }
      : owner.login != login || addresses.keys.contains { owner.isMoved($0, in: addresses) }
    guard isNew, !contents.isEmpty else { return nil }
    // Marks that the account had another sign-in before, so that a sync needs the user's answer.
    if owner.login == nil { try await database.noteSignIn("", account: account) }
    self.account = account
    holding = "\(contents)"
    self.login = login
    self.addresses = addresses
  }
}

/// The source of the sign-in with which an account's requests are sent.
package struct SignInSource: Sendable {
  /// Returns the sign-in as an opaque text: each new sign-in has another one, and renewals keep it.
  package let login: @Sendable () async throws -> String
  /// Returns the sign-in with which this process has sent requests; `nil` if it is signed out, or
  /// if the sign-in never changes.
  package let inUse: @Sendable () async -> String?
  /// True if two sign-ins never have the same text.
  package let isUnique: Bool

  /// Creates the source of a sign-in that never changes.
  package init() {
    self.init(login: { "constant" }, inUse: { nil })
  }

  package init(
    login: @escaping @Sendable () async throws -> String,
    inUse: @escaping @Sendable () async -> String?, isUnique: Bool = true
  ) {
    self.login = login
    self.inUse = inUse
    self.isUnique = isUnique
  }
}
