import Foundation
import Storage

/// Opens the database once, however many ask at the same time.
actor DatabaseOpener {
  nonisolated let path: String
  private var opening: Task<InvoiceDatabase, any Error>?

  init(path: String) {
    self.path = path
  }

  func database() async throws -> InvoiceDatabase {
    if let opening { return try await opening.value }
    let path = path
    let task = Task {
      let folder = URL(filePath: path).deletingLastPathComponent().path()
      do { try Directories.create(folder) } catch {
        throw StorageError.inaccessible(path: folder, underlying: error)
      }
      return try await InvoiceDatabase.open(at: path)
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

  func close() async throws {
    guard let opening else { return }
    self.opening = nil
    try await opening.value.close()
  }
}
