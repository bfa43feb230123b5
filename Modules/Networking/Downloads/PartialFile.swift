import Foundation
import Glibc
import Synchronization
import SystemSupport

/// The part of a file that has arrived, kept beside its final path.
final class PartialFile: Sendable {
  /// The source and version of the part, stored beside it so that a later run can resume.
  private struct Note: Codable {
    let source: String
    let validator: String
  }

  private struct State {
    var handle: FileHandle
    var size: Int
    var validator: String?
    var restarts = 0
  }

  private let path: String
  private let source: String
  private let state: Mutex<State>

  private init(path: String, source: String, state: State) {
    self.path = path
    self.source = source
    self.state = Mutex(state)
  }

  deinit { state.withLock { try? $0.handle.close() } }

  var size: Int { state.withLock { $0.size } }
  /// The validator of the version to which the bytes belong; `nil` if the server gave none.
  var validator: String? { state.withLock { $0.validator } }

  var restarts: Int { state.withLock { $0.restarts } }

  /// Opens the part that an earlier run left, or starts an empty one.
  ///
  /// - Throws: ``DownloadError/busy(path:)``, ``DownloadError/unwritable(path:underlying:)``.
  static func open(for path: String, of source: String) async throws -> PartialFile {
    try await run(path) {
      let known = knownNote(at: note(path))
      let part = part(path)
      let handle = try ownFile(part, O_RDWR | O_CREAT)
      // The lock is held until the file is closed. The download that held it before may have
      // renamed the file into place meanwhile.
      guard try FileLock.tryLock(handle.fileDescriptor, at: part),
        FileLock.isInPlace(handle.fileDescriptor, at: part)
      else { throw DownloadError.busy(path: path) }
      guard let known, known.source == source else {
        try handle.truncate(atOffset: 0)
        return PartialFile(path: path, source: source, state: State(handle: handle, size: 0))
      }
      let size = Int(try handle.seekToEnd())
      return PartialFile(
        path: path, source: source,
        state: State(handle: handle, size: size, validator: known.validator))
    }
  }

  func restart(validator: String?) async throws {
    try await change { [path, source] state in
      try state.handle.truncate(atOffset: 0)
      (state.size, state.validator) = (0, validator)
      state.restarts += 1
      if let validator {
        let note = try JSONEncoder().encode(Note(source: source, validator: validator))
        // The lock on the part excludes other writers. A link in the note's place is replaced.
        try AtomicFile.replace(
          Self.note(path), with: note, isDurable: false, followsLinks: false)
      } else {
        try? FileManager.default.removeItem(atPath: Self.note(path))
      }
    }
  }

  func append(_ bytes: [UInt8]) async throws {
    try await change { state in
      try state.handle.write(contentsOf: bytes)
      state.size += bytes.count
    }
  }

  func complete() async throws {
    try await change { [path] state in
      try state.handle.synchronize()
      guard rename(Self.part(path), path) == 0 else { throw POSIXError.current }
      try? FileManager.default.removeItem(atPath: Self.note(path))
    }
  }

  /// Removes the part, as far as that is possible.
  func discard() async {
    try? await change { [path] _ in
      try? FileManager.default.removeItem(atPath: Self.note(path))
      try? FileManager.default.removeItem(atPath: Self.part(path))
    }
  }

  private func change(_ body: @escaping @Sendable (inout State) throws -> Void) async throws {
    try await Self.run(path) { [self] in try state.withLock { try body(&$0) } }
  }

  /// Returns the note of an earlier run; `nil` if there is none, or if it may be another user's.
  private static func knownNote(at path: String) -> Note? {
    guard let data = try? ownFile(path, O_RDONLY).read(upToCount: 1 << 16) else { return nil }
    return try? JSONDecoder().decode(Note.self, from: data)
  }

  /// Opens a file that belongs to this user alone.
  ///
  /// In a folder to which others can write, another user may have placed a link, or a file that
  /// they keep open or that has another name elsewhere. The function opens neither.
  private static func ownFile(_ path: String, _ access: CInt) throws -> FileHandle {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    let descriptor = Glibc.open(path, access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw POSIXError.current }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var found = stat()
    guard fstat(descriptor, &found) == 0 else { throw POSIXError.current }
    guard found.st_mode & S_IFMT == S_IFREG, found.st_uid == geteuid(), found.st_nlink == 1 else {
      throw POSIXError(.EPERM)
    }
    return handle
  }

  private static func part(_ path: String) -> String { path + ".part" }
  private static func note(_ path: String) -> String { path + ".part.json" }

  private static func run<Value: Sendable>(
    _ path: String, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    do {
      return try await BlockingWork.run(body)
    } catch let error as DownloadError {
      throw error
    } catch {
      throw DownloadError.unwritable(path: path, underlying: error)
    }
  }
}
