import Foundation
import Glibc
import SystemSupport

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

  /// Returns the path at which a file arrives.
  ///
  /// It is the same in each run, so that an interrupted download goes on.
  func arrival(of key: String) throws -> String {
    let arrivals = folder + "/arriving"
    try Self.makeFolder(arrivals)
    return arrivals + "/" + SHA256.hash(Data(key.utf8)).prefix(16).hexadecimal
  }

  /// Removes what interrupted runs left, of those that no process downloads now.
  func removeArrivals() {
    let arrivals = folder + "/arriving"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: arrivals)) ?? [] {
      let path = arrivals + "/" + name
      if name.hasSuffix(".part"), FileLock.isHeld(at: path) { continue }
      unlink(path)
    }
  }

  /// Moves a file that has arrived to its place, and makes its name durable.
  ///
  /// - Throws: ``DocumentError/unusable(path:underlying:)``.
  func adopt(_ arrival: String, as sha256: String) throws {
    let place = path(of: sha256)
    do {
      let parent = "\(objects)/\(sha256.prefix(2))"
      try Self.makeFolder(parent)
      guard rename(arrival, place) == 0 else { throw POSIXError.current }
      try Self.synchronize(parent)
    } catch {
      throw DocumentError.unusable(path: place, underlying: error)
    }
  }

  /// Removes objects, as far as they are there.
  package func remove(_ objects: [String]) async {
    await BlockingWork.run { for object in objects { unlink(path(of: object)) } }
  }

  /// Reads and hashes an object again, and returns whether its content is what its name says.
  package func isWhole(_ sha256: String) async -> Bool {
    await BlockingWork.run { (try? FileFacts(path: path(of: sha256)))?.sha256 == sha256 }
  }

  /// Makes a folder and those above it, for this user alone.
  static func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  static func synchronize(_ folder: String) throws {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError.current }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw POSIXError.current }
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
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw POSIXError.current }
    defer { close(descriptor) }
    let digest = try Digest(.sha256)
    let second = withMD5 ? try Digest(.md5) : nil
    var (size, head, tail) = (0, [UInt8](), [UInt8]())
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw POSIXError.current
      }
      guard count > 0 else { break }
      buffer.withUnsafeBytes { bytes in
        let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        digest.update(piece)
        second?.update(piece)
      }
      size += count
      if head.count < Self.edge { head += buffer[..<min(count, Self.edge - head.count)] }
      tail = (tail + buffer[max(0, count - Self.edge)..<count]).suffix(Self.edge)
    }
    (self.size, self.head, self.tail) = (size, head, tail)
    sha256 = digest.finish()
    md5 = second?.finish()
  }

  private static let edge = 1_024
}
