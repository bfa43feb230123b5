import Foundation
import TestSupport

@testable import Storage

extension LocalDatabase {
  /// Waits until an unused file contains all of its log.
  ///
  /// While a concurrent test starts a program, the child holds this process's locks from its fork
  /// to its exec, so a database that is closed meanwhile leaves its log.
  static func writeBack(at path: String) async throws {
    try await eventually("the log is written back") {
      let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
      guard let log, log > 0 else { return true }
      try await open(at: path).close()
      return false
    }
  }
}
