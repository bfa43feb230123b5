public import Models
public import Networking
public import Storage
package import SystemSupport

/// Fetches the files of an account's invoices, over a session of their own.
///
/// A run can be interrupted anywhere. A file is stored once its content was checked and is durable
/// under its own hash; its row follows. What an interrupted run was fetching is fetched again, and
/// nothing else.
public struct DocumentSync: Sendable {
  /// The account.
  public let account: String
  /// The folder of the objects.
  public let store: ObjectStore
  let provider: String
  let source: any DocumentSource
  let session: Session
  let database: LocalDatabase
  let time: TimeSource
  private let requireOrganisation: OrganisationCheck

  /// Creates the sync of an account.
  ///
  /// - Parameters:
  ///   - account: the account, whose invoices the database holds.
  ///   - provider: the provider's name for people.
  ///   - source: the provider's ways to files.
  ///   - session: the session, with the account's login.
  ///   - database: the database.
  ///   - store: the folder of the objects.
  public init(
    account: String, provider: String, source: any DocumentSource, session: Session,
    database: LocalDatabase, store: ObjectStore
  ) {
    self.init(
      account: account, provider: provider, source: source, session: session, database: database,
      store: store, time: .system)
  }

  /// Throws an error if the login may belong to another organisation than the stored invoices,
  /// whose identifiers it may use for others.
  ///
  /// It returns a function that throws an error once another login is in use.
  package typealias OrganisationCheck =
    @Sendable (DocumentSyncOptions) async throws -> @Sendable () async throws -> Void

  /// - Parameter requireOrganisation: the check before a run.
  package init(
    account: String, provider: String, source: any DocumentSource, session: Session,
    database: LocalDatabase, store: ObjectStore, time: TimeSource = .system,
    requireOrganisation: @escaping OrganisationCheck = { _ in {} }
  ) {
    self.account = account
    self.provider = provider
    self.source = source
    self.session = session
    self.database = database
    self.store = store
    self.time = time
    self.requireOrganisation = requireOrganisation
  }

  /// Fetches the files that are missing, the newest invoices' first.
  ///
  /// - Parameters:
  ///   - options: the options of the run.
  ///   - progress: called after each file and each piece of one.
  /// - Returns: the report. A file that cannot be fetched is in it, and ends nothing.
  /// - Throws: ``DocumentError/unsupported(provider:kinds:)``,
  ///   ``DocumentError/alreadyRunning(account:)``,
  ///   ``DocumentError/inaccessible(path:underlying:)``;
  ///   `AuthenticationError`, `StorageError`; `SyncError.organisationUnproven` and the like, as a
  ///   sync of the invoices; `CancellationError`, also for `SessionError.cancelled`. What was
  ///   stored stays.
  public func run(
    _ options: DocumentSyncOptions = DocumentSyncOptions(),
    progress: @escaping @Sendable (DocumentProgress) -> Void = { _ in }
  ) async throws -> DocumentReport {
    let kinds = try kinds(options)
    let lock = try await store.lock(account: account, timeout: .zero)
    defer { lock.release() }
    var requireSameSignIn: @Sendable () async throws -> Void = {}
    if !options.isDryRun { requireSameSignIn = try await requireOrganisation(options) }
    return try await DocumentRun(self, options, kinds, requireSameSignIn, progress).report()
  }

  /// The kinds of files that the provider gives.
  public var kinds: Set<DocumentKind> { source.kinds }

  private func kinds(_ options: DocumentSyncOptions) throws -> Set<DocumentKind> {
    let wanted = options.kinds ?? [.pdf, .attachment]
    let kinds = wanted.intersection(source.kinds)
    // Whoever names a kind wants to know that there is none.
    guard !kinds.isEmpty, options.kinds == nil || kinds == wanted else {
      let missing = wanted.subtracting(source.kinds).map(\.plural).sorted()
      throw DocumentError.unsupported(
        provider: provider, kinds: missing.joined(separator: " or "))
    }
    return kinds
  }
}

extension DocumentKind {
  /// The files of the kind, in sentences.
  public var plural: String {
    switch self {
    case .pdf: "PDFs"
    case .attachment: "attachments"
    case .ubl: "UBL files"
    }
  }
}
