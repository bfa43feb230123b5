import Foundation

/// A folder that is removed with the object.
package final class TemporaryDirectory: Sendable {
  package let path: String

  /// - Parameter inMemory: whether it may be where nothing reaches a disk, for proofs of many runs.
  package init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory)
    let parent = isThere ? URL(filePath: memory) : FileManager.default.temporaryDirectory
    // With one slash between them, as the programs write paths.
    path =
      parent.appending(path: "appcore-test-" + UUID().uuidString).path(percentEncoded: false)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file; a new one is its owner's alone, as secrets have to be.
  package func write(_ text: String, to name: String) throws -> String {
    if !FileManager.default.fileExists(atPath: file(name)) {
      _ = FileManager.default.createFile(
        atPath: file(name), contents: nil, attributes: [.posixPermissions: 0o600])
    }
    try Data(text.utf8).write(to: URL(filePath: file(name)))
    return file(name)
  }
}
