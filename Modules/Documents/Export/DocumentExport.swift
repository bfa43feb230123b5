import ErrorCodes
import Foundation
import Glibc
public import Models
public import Storage
import Synchronization
import SystemSupport

/// Writes the files of invoices to a folder or a ZIP archive, with lists of them for a tax adviser.
///
/// `index.csv` lists invoices and files, and `SHA256SUMS` what `sha256sum -c` checks. The same
/// invoices and files give the same bytes.
public struct DocumentExport: Sendable {
  /// The places to which files are written.
  public enum Destination: Sendable {
    /// A folder.
    ///
    /// The lists describe the last export, and replace those of an earlier one, also of one that
    /// was killed. If something else has their names, or somebody has edited them,
    /// ``DocumentError/exists(path:)`` is thrown before anything is written, unless
    /// ``DocumentFolder/existing`` is ``DocumentFolder/Existing/replace``.
    case folder(DocumentFolder)
    /// A ZIP archive, which is complete under its name or not there.
    ///
    /// It replaces an earlier archive and an empty file. For any other file,
    /// ``DocumentError/noArchive(path:)`` is thrown unless `replaces` is true.
    case zip(path: String, replaces: Bool = false)
    /// A ZIP archive that a function takes piece by piece, on a thread that it may block.
    case zipStream(@Sendable ([UInt8]) throws -> Void)
  }

  /// The counts of an export so far.
  public struct Progress: Sendable, Equatable {
    /// The number of files that are there, without the lists.
    public internal(set) var files = 0
    /// Their bytes.
    public internal(set) var bytes = 0
  }

  /// The names of the files.
  public var pattern: DocumentNamePattern
  /// The way in which `index.csv` is written.
  public var dialect = CSVDialect.standard
  /// The folder of objects: `ab/<sha256>` for each file.
  private let objects: String

  /// Creates an export.
  ///
  /// - Parameters:
  ///   - objects: the folder of objects.
  ///   - pattern: the names of the files.
  public init(objects: String, pattern: DocumentNamePattern = .standard) {
    (self.objects, self.pattern) = (objects, pattern)
  }

  /// Writes the files of invoices.
  ///
  /// Every object is read and hashed. A file whose object is missing or damaged, or whose name
  /// something else has, is no reason to stop: ``DocumentExportReport/failures`` names it.
  ///
  /// - Parameters:
  ///   - destination: the folder or archive.
  ///   - onProgress: is called after each file, on another thread.
  ///   - reading: calls the function that it receives with each invoice.
  /// - Throws: ``DocumentError`` if the destination cannot be written; `CancellationError`;
  ///   what `reading` throws.
  public func write(
    to destination: Destination, onProgress: @escaping @Sendable (Progress) -> Void = { _ in },
    reading: (@escaping @Sendable (DocumentedInvoice) throws -> Void) async throws -> Void
  ) async throws -> DocumentExportReport {
    let invoices = Mutex<[ExportedInvoice]>([])
    try await reading { invoice in
      invoices.withLock { $0.append(ExportedInvoice(invoice, pattern)) }
    }
    let found = invoices.withLock { $0 }
    let isCancelled = Atomic(false)
    return try await withTaskCancellationHandler {
      try await BlockingWork.run {
        var run = ExportRun(found, objects: objects, dialect: dialect) { progress in
          if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
          onProgress(progress)
        }
        return try run.write(to: destination)
      }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
  }
}

/// The result of an export.
public struct DocumentExportReport: Sendable {
  /// A file that was not written.
  public struct Failure: Sendable {
    /// The account.
    public let account: String
    /// The provider's identifier of the invoice.
    public let invoiceID: String
    /// The number of the invoice.
    public let number: String?
    /// The name that the file should have.
    public let name: String
    /// The error.
    public let error: DocumentError
  }

  /// The number of files that are there and their bytes, without the lists.
  public internal(set) var progress = DocumentExport.Progress()
  /// The number of invoices.
  public internal(set) var invoices = 0
  /// The number of invoices of which no file is stored.
  public internal(set) var invoicesWithoutFile = 0
  /// The number of files that were there with the same content.
  public internal(set) var unchanged = 0
  /// The number of files that replaced something else.
  public internal(set) var replaced = 0
  /// The number of files in whose place something else was left.
  public internal(set) var skipped = 0
  /// The names of the first of them, at most ``skippedNamesLimit``.
  public internal(set) var skippedNames: [String] = []
  /// The files that were not written.
  public internal(set) var failures: [Failure] = []

  /// The largest number of skipped files that a report names.
  public static let skippedNamesLimit = 100
}

/// An export on its thread.
private struct ExportRun {
  let objects: String
  let dialect: CSVDialect
  /// Reports the progress; throws if the export was cancelled.
  let onProgress: (DocumentExport.Progress) throws -> Void
  private var invoices: [ExportedInvoice]
  private var report = DocumentExportReport()

  init(
    _ invoices: [ExportedInvoice], objects: String, dialect: CSVDialect,
    onProgress: @escaping (DocumentExport.Progress) throws -> Void
  ) {
    // The same of two files gets a plain name, in whichever order they are read.
    self.invoices = invoices.sorted { $0.isBefore($1) }
    (self.objects, self.dialect, self.onProgress) = (objects, dialect, onProgress)
    report.invoices = invoices.count
    report.invoicesWithoutFile = invoices.count { $0.files.isEmpty }
    var names = DocumentNames(taken: ExportLists.names)
    for index in self.invoices.indices { self.invoices[index].choosePaths(&names) }
  }

  mutating func write(to destination: DocumentExport.Destination) throws -> DocumentExportReport {
    switch destination {
    case .folder(let folder): try write(to: folder)
    case .zip(let path, let replaces):
      try DocumentError.translating(path) {
        if !replaces { try Self.requirePlaceForArchive(at: path) }
        let file = try FileReplacement(path, mode: 0o600)
        do {
          try writeArchive { try file.write($0) }
          try file.finish()
        } catch {
          file.discard()
          throw error
        }
      }
    case .zipStream(let sink): try writeArchive(to: sink)
    }
    return report
  }

  private mutating func write(to folder: DocumentFolder) throws {
    let earlier = try sumsOfEarlierExport(in: folder)
    try forEachFile { run, file, object, size, _ in
      let content = FileContent.object(path: object, sha256: file.sha256)
      switch try folder.place(content, as: file.path, folder.existing) {
      case .linked, .copied: break
      case .replaced: run.report.replaced += 1
      case .unchanged: run.report.unchanged += 1
      case .skipped:
        run.report.skipped += 1
        if run.report.skippedNames.count < DocumentExportReport.skippedNamesLimit {
          run.report.skippedNames.append(file.path)
        }
        return false
      }
      try run.count(size)
      return true
    }
    let lists = ExportLists(invoices, dialect)
    // Wherever a kill comes, the sums name the index that is there.
    if let sums = lists.interimSums(after: earlier) {
      _ = try folder.place(.bytes(sums), as: ExportLists.names[1], .replace)
    }
    for (name, bytes) in lists.files {
      _ = try folder.place(.bytes(bytes), as: name, .replace)
    }
  }

  /// Returns the sums that an earlier export wrote.
  ///
  /// - Throws: ``DocumentError/exists(path:)`` if a list would replace a file that is no list of an
  ///   earlier export, before anything is written.
  private func sumsOfEarlierExport(in folder: DocumentFolder) throws -> [ExportLists.Sum] {
    let paths = ExportLists.names.map { "\(folder.path)/\($0)" }
    guard let found = paths.first(where: Self.isThere) else { return [] }
    if let sums = ExportLists.earlierSums(index: paths[0], sums: paths[1]) { return sums }
    guard folder.existing == .replace else { throw DocumentError.exists(path: found) }
    return []
  }

  /// Requires that an archive would replace no file but an archive or an empty one.
  private static func requirePlaceForArchive(at path: String) throws {
    var found = stat()
    guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_size > 0 else {
      return
    }
    let file = try OpenFile(open(path, O_RDONLY | O_CLOEXEC))
    guard try file.piece()?.starts(with: "PK".utf8) == true else {
      throw DocumentError.noArchive(path: path)
    }
  }

  private static func isThere(_ path: String) -> Bool {
    var found = stat()
    return lstat(path, &found) == 0
  }

  private mutating func writeArchive(to sink: ([UInt8]) throws -> Void) throws {
    var entries: [ZIPArchive.Entry] = []
    // All files are read before the first is written, as the list does not name damaged ones.
    try forEachFile { run, file, object, size, day in
      let found = try ZIPArchive.checksum(of: .object(path: object, sha256: file.sha256))
      guard found.size == size else {
        throw DocumentError.wrongSize(path: object, expected: size, found: found.size)
      }
      try run.onProgress(run.report.progress)
      entries.append(
        ZIPArchive.Entry(
          name: file.path, day: day, content: .object(path: object), size: size,
          checksum: found.value))
      return true
    }
    let lastDay = invoices.compactMap(\.day).max()
    for (name, bytes) in ExportLists(invoices, dialect).files {
      entries.append(
        ZIPArchive.Entry(name: name, day: lastDay, content: .bytes(bytes), size: bytes.count))
    }
    try ZIPArchive.write(
      entries, onFile: { if case .object = $0.content { try count($0.size) } }, to: sink)
  }

  /// Calls a function with each file, the path of its object, its size and its day.
  ///
  /// - Parameter body: returns whether the file is in its place.
  private mutating func forEachFile(
    _ body: (
      inout ExportRun, ExportedFile, _ object: String, _ size: Int, _ day: CalendarDate?
    ) throws -> Bool
  ) throws {
    for (index, invoice) in invoices.enumerated() {
      for (position, file) in invoice.files.enumerated() {
        do {
          let (object, size) = try object(of: file)
          invoices[index].files[position].isWritten = try body(
            &self, file, object, size, invoice.day)
        } catch let error as DocumentError {
          if error.code == .diskFull { throw error }
          report.failures.append(
            DocumentExportReport.Failure(
              account: invoice.account, invoiceID: invoice.id, number: invoice.number,
              name: file.path, error: error))
        }
      }
    }
  }

  private func object(of file: ExportedFile) throws -> (path: String, size: Int) {
    let path = "\(objects)/\(file.sha256.prefix(2))/\(file.sha256)"
    guard file.sha256.utf8.count == 64,
      file.sha256.utf8.allSatisfy("0123456789abcdef".utf8.contains)
    else { throw DocumentError.missingObject(path: path) }
    let size = try OpenFile.object(at: path).size()
    guard let expected = file.size, expected != size else { return (path, size) }
    throw DocumentError.wrongSize(path: path, expected: expected, found: size)
  }

  private mutating func count(_ size: Int) throws {
    report.progress.files += 1
    report.progress.bytes += size
    try onProgress(report.progress)
  }
}
