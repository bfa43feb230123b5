import Foundation
import Glibc
package import SystemSupport

/// The folder of fetched files, each under the SHA-256 of its content.
///
/// Two equal files are one object. An object never changes, so a reader needs no lock.
public struct ObjectStore: Sendable {
  /// The folder, such as `~/.local/share/appcore/documents`.
  public let folder: String

  /// Creates the store of a folder, which is made when the first object comes.
  public init(folder: String) {
    self.folder = folder
  }

  /// Returns the path of an object, whether or not it is there.
  ///
  /// - Parameter sha256: the SHA-256 of the content, as 64 hexadecimal digits.
  public func path(of sha256: String) -> String { "\(objects)/\(sha256.prefix(2))/\(sha256)" }

  /// The folder of the objects, with a folder for each first two digits.
  public var objects: String { folder + "/objects" }

  /// Returns whether an object is there, with this size.
  package func holds(_ sha256: String, size: Int?) -> Bool {
    var found = stat()
    guard lstat(path(of: sha256), &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    return size.map { $0 == Int(found.st_size) } ?? true
  }

  /// Returns the path at which a file of an account arrives.
  ///
  /// It is the same in each run, so that an interrupted download goes on, and a file that has
  /// arrived is not fetched again.
  func arrival(of key: String, account: String) throws -> String {
    try Self.makeFolder(arrivals)
    return arrivals + "/" + Self.mark(of: account) + Self.digest(key)
  }

  /// Removes what interrupted runs of an account left; the caller holds ``lock(account:timeout:)``.
  package func removeArrivals(account: String) {
    let mark = Self.mark(of: account)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: arrivals)) ?? []
    for name in names where name.hasPrefix(mark) { unlink(arrivals + "/" + name) }
  }

  private var arrivals: String { folder + "/arriving" }

  private static func mark(of account: String) -> String { digest(account) + "-" }

  private static func digest(_ text: String) -> String {
    SHA256.hash(Data(text.utf8)).prefix(8).hexadecimal
  }

  /// Takes the lock of an account's files, which a run holds.
  ///
  /// - Throws: ``DocumentError/alreadyRunning(account:)`` when the time is up;
  ///   ``DocumentError/inaccessible(path:underlying:)``; `CancellationError`.
  package func lock(account: String, timeout: Duration) async throws -> HeldLock {
    do {
      try await makeFolder()
      return try await hold(lockPath(account), timeout: timeout)
    } catch DocumentError
      .inaccessible(_, FileLockError.heldElsewhere)
    {
      throw DocumentError.alreadyRunning(account: account)
    }
  }

  /// Runs `body` while no object comes: each is named by a row, or by none.
  ///
  /// - Parameter timeout: the longest wait for the objects that are coming.
  /// - Throws: ``DocumentError/inaccessible(path:underlying:)``, `CancellationError`, what `body`
  ///   throws.
  package func whileNoneComes<Value>(
    timeout: Duration, _ body: () async throws -> Value
  ) async throws -> Value {
    try await makeFolder()
    let lock = try await hold(objects + ".lock", timeout: timeout)
    defer { lock.release() }
    return try await body()
  }

  private func hold(
    _ path: String, isShared: Bool = false, timeout: Duration
  ) async throws -> HeldLock {
    do {
      return try await HeldLock.acquire(at: path, isShared: isShared, timeout: timeout)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw DocumentError.inaccessible(path: path, underlying: error)
    }
  }

  private func makeFolder() async throws {
    try await BlockingWork.run {
      try DocumentError.translating(folder) { try Self.makeFolder(folder) }
    }
  }

  private func lockPath(_ account: String) -> String { "\(folder)/\(Self.digest(account)).lock" }

  /// The time at which the list of all attachments of an account was read; the file of the lock
  /// holds it.
  func listedAt(account: String) -> Date? {
    FileLock.notedTime(of: lockPath(account))
  }

  /// Notes the time at which the list of all attachments was read; failing that, it is read again.
  func noteListed(account: String, at time: Date) {
    try? FileManager.default.setAttributes(
      [.modificationDate: time], ofItemAtPath: lockPath(account))
  }

  /// Puts a file that has arrived in its place, makes its name durable, and runs `record`.
  ///
  /// Until `record` has ended, no row may name the object, and still nobody removes it. The file
  /// keeps its first name until then, so that a run that ends before is not followed by another
  /// request.
  ///
  /// - Throws: ``DocumentError/inaccessible(path:underlying:)``, `CancellationError`, what `record`
  ///   throws.
  func adopt(
    _ arrival: String, as sha256: String, record: () async throws -> Void
  ) async throws {
    // Whoever removes objects forgets all rows of an account meanwhile.
    let lock = try await hold(objects + ".lock", isShared: true, timeout: .seconds(600))
    defer { lock.release() }
    let place = path(of: sha256)
    try await BlockingWork.run {
      try DocumentError.translating(place) {
        let parent = "\(objects)/\(sha256.prefix(2))"
        try Self.makeFolder(parent)
        try Self.name(arrival, place)
        let folder = try OpenFile(open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard fsync(folder.descriptor) == 0 else { throw POSIXError.current }
      }
    }
    try await record()
    await BlockingWork.run { _ = unlink(arrival) }
  }

  /// Gives a file a second name, which may be that of another file.
  private static func name(_ file: String, _ place: String) throws {
    let second = file + "-named"
    unlink(second)
    // Some file systems have no links. The file then loses its first name.
    let hasLinks = link(file, second) == 0
    guard rename(hasLinks ? second : file, place) == 0 else { throw POSIXError.current }
    // It stays if both names were those of one file.
    unlink(second)
  }

  /// Removes objects, as far as they are there; see ``whileNoneComes(timeout:_:)``.
  package func remove(_ objects: [String]) async {
    await BlockingWork.run { for object in objects { unlink(path(of: object)) } }
  }

  /// Reads and hashes an object again, and returns whether its content is what its name says.
  ///
  /// - Throws: ``DocumentError/inaccessible(path:underlying:)`` if it is there and cannot be read:
  ///   that is no damage.
  package func isWhole(_ sha256: String) async throws -> Bool {
    let path = path(of: sha256)
    return try await BlockingWork.run {
      do { return try FileFacts(path: path).sha256 == sha256 } catch let error as POSIXError
        where [.ENOENT, .EINVAL, .ELOOP, .ENOTDIR].contains(error.code)
      {
        return false
      } catch {
        throw DocumentError.inaccessible(path: path, underlying: error)
      }
    }
  }

  /// Requires that the folder of the objects is there: a folder that is not mounted is no damage.
  ///
  /// - Throws: ``DocumentError/inaccessible(path:underlying:)``.
  package func requireFolder() async throws {
    let path = objects
    try await BlockingWork.run {
      try DocumentError.translating(path) {
        _ = try OpenFile(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
      }
    }
  }

  /// Makes a folder and those above it, for this user alone.
  static func makeFolder(_ path: String) throws {
    var found = stat()
    if stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR { return }
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}

/// The facts about a file's content, read once in constant memory.
struct FileFacts {
  let size: Int
  let sha256: String
  /// The MD5, if it was asked for.
  private(set) var md5: String?
  /// The first 1 024 bytes.
  let head: [UInt8]
  /// The last 1 024 bytes.
  let tail: [UInt8]

  /// Reads a file.
  ///
  /// - Throws: `POSIXError`, `Gcrypt.Failure`.
  init(path: String, withMD5: Bool = false) throws {
    let file = try OpenFile.reading(path)
    let digest = try Digest(.sha256)
    let second = withMD5 ? try Digest(.md5) : nil
    var (size, head, tail) = (0, [UInt8](), [UInt8]())
    while let piece = try file.piece() {
      piece.withUnsafeBytes { bytes in
        digest.update(bytes)
        second?.update(bytes)
      }
      size += piece.count
      if head.count < Self.edge { head += piece.prefix(Self.edge - head.count) }
      tail = (tail + piece.suffix(Self.edge)).suffix(Self.edge)
    }
    (self.size, self.head, self.tail) = (size, head, tail)
    sha256 = digest.finish()
    md5 = second?.finish()
  }

  private static let edge = 1_024
}
