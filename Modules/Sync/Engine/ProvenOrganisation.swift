import Storage

/// The organisation that a run's sign-in reads, which is the one whose records the account holds.
struct ProvenOrganisation: Sendable {
  let account: String
  /// The organisation, as exactly as it is known.
  let source: String
  let login: String
  let signIn: SignInSource

  /// Requires that no other sign-in has taken the place of the proved one: what was read may be
  /// another organisation's then.
  ///
  /// - Throws: ``SyncError/signInChanged(account:)``.
  func requireSameSignIn() async throws {
    guard let inUse = await signIn.inUse(), inUse != login else { return }
    throw SyncError.signInChanged(account: account)
  }
}

/// Proves, before a run stores anything, whose records its sign-in reads.
///
/// A sign-in that is noted with the account was proved before, and the server is not asked.
struct OrganisationProof<Feed: ResourceFeed> {
  let account: String
  let feed: Feed
  let store: ResourceStore<Feed.Record>
  let signIn: SignInSource
  let options: SyncOptions

  /// The result of the proof.
  struct Outcome {
    let organisation: ProvenOrganisation
    /// The start of the list, where the server was asked.
    let start: Feed.Cursor?
    /// Whether what earlier runs left is of no use: the account holds nothing, and this sign-in is
    /// new.
    let startsOver: Bool
  }

  /// - Parameters:
  ///   - login: the sign-in that requests are sent with.
  ///   - ask: asks the server for the start of the list.
  /// - Throws: ``StorageError/sourceMismatch(account:holding:stored:offered:)`` where the sign-in
  ///   is another organisation's, ``SyncError/organisationUnproven(account:holding:)`` where the
  ///   server cannot say.
  func run(
    _ login: String, known: Feed.Cursor?,
    _ ask: (FeedStart<Feed.Cursor>) async throws -> Feed.Cursor
  ) async throws -> Outcome {
    let owner = try await store.database.owner(account: account)
    if let owner, owner.login == login, signIn.isUnique || !feed.traits.identifiesOrganisation {
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
    // Records that were stored before sign-ins were noted are continued; else the same host, say,
    // is no proof.
    let isProved = feed.traits.identifiesOrganisation && source == owner.source
    guard isProved || owner.login == nil || options.isSameOrganisation else {
      throw SyncError.organisationUnproven(account: account, holding: "\(contents)")
    }
    return outcome(source, login, start: start)
  }

  private func outcome(
    _ source: String, _ login: String, start: Feed.Cursor?, startsOver: Bool = false
  ) -> Outcome {
    Outcome(
      organisation: ProvenOrganisation(
        account: account, source: source, login: login, signIn: signIn),
      start: start, startsOver: startsOver)
  }
}
