public import Documents
public import Models
import Networking
import Providers
import Storage
import Synchronization

/// The files of invoices: a feature module over the session `documents`.
extension ApplicationCore {
  /// The name of the module, and of its session in the configuration.
  private static let documentsModule = "documents"

  /// The folder of fetched files, beside the database.
  public var documentStore: ObjectStore {
    let folder = databasePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return ObjectStore(folder: folder.joined(separator: "/") + "/documents")
  }

  /// Returns the kinds of files that an account's provider gives; empty if it gives none.
  ///
  /// - Throws: ``ConfigurationError``; `AuthenticationError.unknownAccount`.
  public func documentKinds(account name: String) async throws -> Set<DocumentKind> {
    let (provider, context) = try await context(of: name)
    return provider.documents(in: context)?.kinds ?? []
  }

  /// Returns what fetches the files of an account's invoices.
  ///
  /// Its session has a login, limits and cancellation as any other. It leaves room to the syncs of
  /// the same account.
  ///
  /// - Throws: `DocumentError.unsupported(provider:kinds:)` if the provider gives no files; as
  ///   ``sync(_:account:)``.
  public func documents(account name: String) async throws -> DocumentSync {
    let (provider, context) = try await context(of: name)
    guard provider.documents(in: context) != nil else {
      throw DocumentError.unsupported(provider: provider.profile.title, kinds: "files")
    }
    // Files take longer than lists. What the user's file states goes before these values.
    var values = SessionConfiguration()
    values.timeout.request = .seconds(300)
    values.isBackground = true
    let session = try session(for: Self.documentsModule, account: name, defaults: values)
    guard let source = provider.documents(in: try await knowing(provider, context)) else {
      throw DocumentError.unsupported(provider: provider.profile.title, kinds: "files")
    }
    return DocumentSync(
      account: name, provider: provider.profile.title, source: source, session: session,
      database: try await database(), store: documentStore,
      logger: makeLogger("appcore.documents"))
  }

  /// Reads and hashes every stored file again.
  ///
  /// - Parameters:
  ///   - account: the account; `nil` for all.
  ///   - progress: called with the number of objects that were read.
  /// - Returns: the number of objects, and those that are missing or damaged.
  /// - Throws: `StorageError`; ``CoreError/closed``; `CancellationError`.
  public func verifyDocuments(
    account: String?, progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> DocumentVerification {
    let objects = Mutex<[String]>([])
    try await databaseForReading()?.forEachStoredObject(account: account) { sha256, _ in
      objects.withLock { $0.append(sha256) }
    }
    var verification = DocumentVerification()
    for object in objects.withLock({ $0 }) {
      try Task.checkCancellation()
      if await !documentStore.isWhole(object) { verification.damaged.append(object) }
      verification.objects += 1
      progress(verification.objects)
    }
    return verification
  }

  /// Removes damaged objects, and fetches their files again.
  ///
  /// - Returns: a report for each account that has one of the files.
  /// - Throws: as ``documents(account:)`` and its run.
  public func repairDocuments(
    _ verification: DocumentVerification, maximumWait: Duration? = nil
  ) async throws -> [DocumentReport] {
    let database = try await database()
    let files = try await database.forgetObjects(verification.damaged)
    await documentStore.remove(verification.damaged)
    var reports: [DocumentReport] = []
    for (account, keys) in files.sorted(by: { $0.key < $1.key }) {
      var options = DocumentSyncOptions()
      (options.keys, options.refresh, options.maximumWait) = (keys, .never, maximumWait)
      let sync = try await documents(account: account)
      options.kinds = try await documentKinds(account: account)
      reports.append(try await sync.run(options))
    }
    return reports
  }
}

/// The result of reading every stored file again.
public struct DocumentVerification: Sendable, Equatable {
  /// The number of objects that were read.
  public internal(set) var objects = 0
  /// The SHA-256 of those that are missing, or whose content is another.
  public internal(set) var damaged: [String] = []
}
