import Foundation
import Logging
import Storage
import SystemSupport

/// The opener of the database, which opens it once even if several callers request it concurrently.
///
/// If the file is replaced meanwhile, such as a damaged one by a new one, or a backup takes its
/// place, the next request opens the file that is there. Whoever still uses the old one keeps it
/// open.
actor DatabaseOpener {
  nonisolated let path: String
  private let log: Logger
  private var opening: Task<LocalDatabase, any Error>?
  private var openingForReading: Task<LocalDatabase?, any Error>?
  private var isClosed = false

  init(path: String, log: Logger) {
    self.path = path
    self.log = log
  }

  func database() async throws -> LocalDatabase {
    try requireOpen()
    while let opening {
      let database = try await opening.value
      guard database.isReplaced else { return database }
      if self.opening == opening { self.opening = nil }
      try requireOpen()
    }
    let (path, log) = (path, log)
    let task = Task {
      let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
      do { try Directories.create(folder) } catch {
        throw StorageError.inaccessible(path: folder, underlying: error)
      }
      let start = ContinuousClock.now
      let database = try await LocalDatabase.open(at: path)
      Self.note(database, openedSince: start, log)
      return database
    }
    opening = task
    do {
      return try await task.value
    } catch {
      // The next call may try again: a full disk can have room by then.
      if opening == task { opening = nil }
      throw error
    }
  }

  var isOpen: Bool { opening != nil || openingForReading != nil }

  /// Returns the database for reading, opened without waiting for a program that writes; `nil` if
  /// there is none yet.
  func databaseForReading(onWait: @escaping @Sendable () -> Void) async throws -> LocalDatabase? {
    while true {
      try requireOpen()
      if let opening {
        let database = try await opening.value
        guard database.isReplaced else { return database }
        if self.opening == opening { self.opening = nil }
        try requireOpen()
      }
      let task = openingForReading ?? startForReading(onWait)
      openingForReading = task
      let result = await task.result
      let database = try? result.get()
      if let database, !database.isReplaced { return database }
      // The next call tries again.
      if openingForReading == task { openingForReading = nil }
      if database == nil { return try result.get() }
    }
  }

  private func startForReading(
    _ onWait: @escaping @Sendable () -> Void
  ) -> Task<LocalDatabase?, any Error> {
    Task { [path, log] in
      let start = ContinuousClock.now
      let database = try await LocalDatabase.openForReading(at: path, onWait: onWait)
      if let database { Self.note(database, openedSince: start, log) }
      return database
    }
  }

  func refuse() { isClosed = true }

  private func requireOpen() throws {
    guard !isClosed else { throw CoreError.closed }
  }

  func close() async throws {
    let (opening, openingForReading) = (opening, openingForReading)
    self.opening = nil
    self.openingForReading = nil
    let read: Result<Void, any Error>
    do { read = .success(try await openingForReading?.value?.close() ?? ()) } catch {
      read = .failure(error)
    }
    try await opening?.value.close()
    try read.get()
  }

  private static func note(
    _ database: LocalDatabase, openedSince start: ContinuousClock.Instant, _ log: Logger
  ) {
    if let aside = database.damagedFile {
      log.warning(
        "renamed the damaged database; the next sync fetches everything",
        metadata: ["path": "\(database.path)", "aside": "\(aside)"])
    }
    let took = Int(clamping: start.duration(to: .now) / .milliseconds(1), rounding: .down)
    log.trace("opened the database", metadata: ["path": "\(database.path)", "took": "\(took)ms"])
  }
}
