import Authentication
public import Documents
import ErrorCodes
import Models
import Networking
import Providers
import Storage
import Sync
import SystemSupport

/// The files of invoices: a feature module over the session `documents`.
extension ApplicationCore {
  /// The name of the module, and of its session in the configuration.
  private static let documentsModule = "documents"

  /// The folder of fetched files, beside the database.
  public var documentStore: ObjectStore {
    let folder = databasePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return ObjectStore(folder: folder.joined(separator: "/") + "/documents")
  }

  /// Returns the files that an account's provider can give; `nil` if it gives none.
  ///
  /// - Throws: ``ConfigurationError``; `AuthenticationError.unknownAccount`.
  public func documentSource(account name: String) async throws -> (any DocumentSource)? {
    let (provider, context) = try await context(of: name)
    return provider.documents(in: context)
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
      database: try await database(), store: documentStore
    ) { [self] wanted in
      guard let resource = provider.resources(in: context).first else { return {} }
      var options = SyncOptions()
      options.maximumDuration = wanted.maximumDuration
      if let wait = wanted.maximumWait { options.maximumWait = wait }
      return try await sync(resource, account: name, over: session).requireOrganisation(options)
    }
  }

  /// Fetches files as ``documents(account:)`` does, and places them in the folder of
  /// ``DocumentSettings/folder``.
  ///
  /// - Throws: as ``documents(account:)`` and its run; `DocumentError` if the folder cannot be
  ///   written.
  public func fetchDocuments(
    account name: String, options: DocumentSyncOptions = DocumentSyncOptions(),
    progress: @escaping @Sendable (DocumentProgress) -> Void = { _ in }
  ) async throws -> DocumentReport {
    var report = try await documents(account: name).run(options, progress: progress)
    if !options.isDryRun { report.folderFailure = try await placeDocuments(account: name) }
    return report
  }

  /// Places the stored files that have no name yet in the folder for people.
  ///
  /// - Returns: the error of the first one that could not be placed; the others are.
  private func placeDocuments(account name: String) async throws -> DocumentError? {
    guard let path = configuration.documents.folder else { return nil }
    let pattern = try DocumentNamePattern(configuration.documents.name)
    let database = try await database()
    let unnamed = try await database.invoicesWithUnnamedFiles(account: name)
    guard !unnamed.isEmpty else { return nil }
    let files = try await database.documentedInvoices(withKeys: unnamed).flatMap { invoice in
      invoice.documents.filter { $0.sha256 != nil && $0.fileName == nil }.map {
        ($0, pattern.name(of: $0, of: invoice.stored))
      }
    }
    let taken = try await database.documentFileNames()
    let (folder, store) = (DocumentFolder(path: path), documentStore)
    let (placed, failure) = await BlockingWork.run {
      var (names, placed) = (DocumentNames(taken: taken), [StoredDocument]())
      var failure: DocumentError?
      for (document, name) in files where failure?.code != .diskFull {
        guard let sha256 = document.sha256 else { continue }
        var document = document
        // Somebody else's file keeps its name.
        for _ in 0..<3 where document.fileName == nil {
          let chosen = names.choose(name)
          do {
            _ = try folder.place(object: store.path(of: sha256), as: chosen)
            document.fileName = chosen
          } catch DocumentError.exists {} catch {
            failure =
              failure ?? error as? DocumentError ?? .inaccessible(path: path, underlying: error)
            break
          }
        }
        if document.fileName != nil { placed.append(document) }
      }
      return (placed, failure)
    }
    try await database.recordNames(of: placed)
    return failure
  }

  /// Reads and hashes every stored file again.
  ///
  /// - Parameters:
  ///   - accounts: the accounts.
  ///   - progress: called with the number of objects that were read.
  /// - Returns: the number of objects, and those that are missing or damaged.
  /// - Throws: `StorageError`; ``CoreError/closed``; `CancellationError`;
  ///   `AuthenticationError.unknownAccount`; `DocumentError.inaccessible` if an object, or the
  ///   folder of all, cannot be read.
  public func verifyDocuments(
    accounts: [String], progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> DocumentVerification {
    for name in accounts where configuration.accounts[name] == nil {
      throw AuthenticationError.unknownAccount(name: name)
    }
    var verification = DocumentVerification()
    let objects = try await databaseForReading()?.storedObjects(accounts: accounts) ?? []
    if !objects.isEmpty { try await documentStore.requireFolder() }
    for object in objects {
      try Task.checkCancellation()
      if try await !documentStore.isWhole(object) { verification.damaged.append(object) }
      verification.objects += 1
      progress(verification.objects)
    }
    return verification
  }

  /// Fetches the files of damaged objects again.
  ///
  /// A file that cannot be fetched now stays as it is, for another repair. Those that the provider
  /// has no longer, among them earlier versions, are forgotten.
  ///
  /// - Returns: a report for each account that has one of the files, and the number of lost ones.
  /// - Throws: as ``documents(account:)`` and its run.
  public func repairDocuments(
    _ verification: DocumentVerification, maximumWait: Duration? = nil
  ) async throws -> DocumentRepair {
    let (database, begin) = (try await database(), Timestamp(TimeSource.system.wall()))
    let paths = verification.damaged.map(documentStore.path)
    let damaged = await BlockingWork.run { Set(paths.compactMap(FileIdentity.init)) }
    var repair = DocumentRepair()
    let invoices = try await database.invoices(withObjects: verification.damaged)
    for (account, keys) in invoices.sorted(by: { $0.key < $1.key })
    where configuration.accounts[account] != nil {
      var options = DocumentSyncOptions()
      (options.keys, options.refresh, options.maximumWait) = (keys, .all, maximumWait)
      options.objects = Set(verification.damaged)
      let sync = try await documents(account: account)
      options.kinds = sync.kinds
      var report = try await sync.run(options)
      try await replaceInFolder(damaged, of: keys)
      report.folderFailure = try await placeDocuments(account: account)
      repair.reports.append(report)
    }
    repair.lost = try await documentStore.whileNoneComes(timeout: .seconds(60)) {
      var left: [String] = []
      for object in verification.damaged where try await !documentStore.isWhole(object) {
        left.append(object)
      }
      let lost = try await database.forgetLostFiles(of: left, before: begin)
      await documentStore.remove(try await database.unreferenced(objects: left))
      return lost
    }
    return repair
  }

  /// Puts objects that were fetched again in the place of the damaged ones in the folder for
  /// people.
  ///
  /// A damaged file gets another name: somebody may have edited it there. A file that is no link to
  /// a damaged object is a copy, or somebody's own, and stays.
  private func replaceInFolder(
    _ damaged: Set<FileIdentity>, of keys: [InvoiceKey]
  ) async throws {
    guard let path = configuration.documents.folder, !damaged.isEmpty else { return }
    let documents = try await database().documentedInvoices(withKeys: keys).flatMap(\.documents)
    let (folder, store) = (DocumentFolder(path: path), documentStore)
    try await BlockingWork.run {
      for document in documents {
        guard let sha256 = document.sha256, let name = document.fileName,
          let found = FileIdentity(path: path + "/" + name), damaged.contains(found),
          FileIdentity(path: store.path(of: sha256)) != found
        else { continue }
        try folder.setAside(name)
        _ = try folder.place(object: store.path(of: sha256), as: name)
      }
    }
  }
}

/// The result of a repair of files.
public struct DocumentRepair: Sendable {
  /// A report for each account.
  public internal(set) var reports: [DocumentReport] = []
  /// The number of files, earlier versions among them, that could not be fetched again.
  public internal(set) var lost = 0
}

/// The result of reading every stored file again.
public struct DocumentVerification: Sendable, Equatable {
  /// The number of objects that were read.
  public internal(set) var objects = 0
  /// The SHA-256 of those that are missing, or whose content is another.
  public internal(set) var damaged: [String] = []
}
