import Foundation
import Logging
import Storage

/// Opens the database once, however many ask at the same time.
actor DatabaseOpener {
  nonisolated let path: String
  private let log: Logger
  private var opening: Task<LocalDatabase, any Error>?

  init(path: String, log: Logger) {
    self.path = path
    self.log = log
  }

  func database() async throws -> LocalDatabase {
    if let opening { return try await opening.value }
    let (path, log) = (path, log)
    let task = Task {
      let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
      do { try Directories.create(folder) } catch {
        throw StorageError.inaccessible(path: folder, underlying: error)
      }
      let start = ContinuousClock.now
      let database = try await LocalDatabase.open(at: path)
      if let aside = database.damagedFile {
        log.warning(
          "the database was damaged: it was put aside, and everything is read again",
          metadata: ["path": "\(path)", "aside": "\(aside)"])
      }
      let took = Int(start.duration(to: .now) / .milliseconds(1))
      log.debug("opened the database", metadata: ["path": "\(path)", "took": "\(took)ms"])
      return database
    }
    opening = task
    do {
      return try await task.value
    } catch {
      // The next call may try again: a full disk can have room by then.
      opening = nil
      throw error
    }
  }

  /// Whether there is something to close.
  var isOpen: Bool { opening != nil }

  func close() async throws {
    guard let opening else { return }
    self.opening = nil
    try await opening.value.close()
  }
}
