import Foundation
import Glibc
import SystemSupport

/// A folder for people, with files of the folder of objects under names that say what they are.
///
/// A file is a hard link to its object, or a copy if the folder is on another file system. No
/// function removes a file, follows a link inside the folder, or leaves a partial file under a
/// final name. New folders have the mode 0700, new files 0600.
public struct DocumentFolder: Sendable {
  /// The ways to treat something else that has the name of a file.
  public enum Existing: Sendable {
    /// Throw ``DocumentError/exists(path:)``.
    case refuse
    /// Leave it, and write nothing.
    case skip
    /// Replace a file or a link by the new file.
    case replace
  }

  /// The ways in which a file came to its place.
  public enum Outcome: Sendable {
    /// The file is a hard link to its object.
    case linked
    /// The file is a copy.
    case copied
    /// The file is in the place of something else.
    case replaced
    /// A file with the same content was there.
    case unchanged
    /// Something else was there, and is still there.
    case skipped
  }

  /// The path of the folder.
  public let path: String
  /// The way to treat something else that has the name of a file.
  public let existing: Existing
  /// True to copy each file; false to link it to its object where possible, which takes no room.
  ///
  /// To change a linked file in place is to change the object.
  public let copies: Bool

  /// Creates a value for a folder, which the first file creates if it does not exist.
  public init(path: String, existing: Existing = .refuse, copies: Bool = false) {
    (self.path, self.existing, self.copies) = (path, existing, copies)
  }

  /// Places an object in the folder.
  ///
  /// The call blocks; run it on a thread that may wait.
  ///
  /// - Parameters:
  ///   - object: the path of the object.
  ///   - name: the path relative to the folder, such as ``DocumentNames/choose(_:)`` returns.
  /// - Throws: ``DocumentError``.
  public func place(object: String, as name: String) throws -> Outcome {
    try place(.object(path: object), as: name, existing)
  }

  func place(_ content: FileContent, as name: String, _ existing: Existing) throws -> Outcome {
    let place = "\(path)/\(name)"
    return try DocumentError.translating(place) {
      var components = name.utf8.split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
      )
      .map { String(Substring($0)) }
      guard components.allSatisfy({ !["", ".", ".."].contains($0) && !$0.utf8.contains(0) }),
        let last = components.popLast()
      else { throw POSIXError(.EINVAL) }
      let folder = try open(components)
      var found = stat()
      var isOther = false
      if fstatat(folder.descriptor, last, &found, AT_SYMLINK_NOFOLLOW) == 0 {
        if try holds(content, last, found, in: folder) { return .unchanged }
        switch existing {
        case .refuse: throw DocumentError.exists(path: place)
        case .skip: return .skipped
        case .replace: isOther = true
        }
      } else if errno != ENOENT {
        throw POSIXError.current
      }
      let new = ".appcore-\(RandomBytes.make(8).hexadecimal)"
      // Of two names of one file, a rename leaves both.
      defer { unlinkat(folder.descriptor, new, 0) }
      let outcome = try write(content, as: new, in: folder)
      // A link to the new file never replaces what came in the meantime.
      let isPlaced =
        existing == .replace
        ? renameat(folder.descriptor, new, folder.descriptor, last) == 0
        : linkat(folder.descriptor, new, folder.descriptor, last, 0) == 0
      if isPlaced { return isOther ? .replaced : outcome }
      if errno == EEXIST { throw DocumentError.exists(path: place) }
      guard existing != .replace, Self.hasNoLinks(errno),
        renameat(folder.descriptor, new, folder.descriptor, last) == 0
      else { throw POSIXError.current }
      return outcome
    }
  }

  /// Gives a file that is in the folder another name, which says that it is damaged.
  ///
  /// The call blocks; run it on a thread that may wait.
  ///
  /// - Throws: ``DocumentError``.
  package func setAside(_ name: String) throws {
    let place = "\(path)/\(name)"
    let end = name.lastIndex(of: ".") ?? name.endIndex
    try DocumentError.translating(place) {
      for number in 1...99 {
        let mark = number == 1 ? " (damaged)" : " (damaged \(number))"
        // A link to an existing name fails, unlike a rename.
        guard link(place, "\(path)/\(name[..<end])\(mark)\(name[end...])") != 0 else {
          guard unlink(place) == 0 else { throw POSIXError.current }
          return
        }
        guard errno == EEXIST else { throw POSIXError.current }
      }
      throw DocumentError.exists(path: place)
    }
  }

  /// Opens a folder in the folder, and creates what is missing on the way.
  private func open(_ components: [String]) throws -> OpenFile {
    if access(path, F_OK) != 0 {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var folder = try OpenFile(Glibc.open(path, flags))
    var place = path
    for component in components {
      place += "/" + component
      if mkdirat(folder.descriptor, component, 0o700) != 0, errno != EEXIST {
        throw POSIXError.current
      }
      do {
        folder = try OpenFile(openat(folder.descriptor, component, flags | O_NOFOLLOW))
      } catch let error as POSIXError where error.code == .ENOTDIR || error.code == .ELOOP {
        throw DocumentError.unsafeFolder(path: place)
      }
    }
    return folder
  }

  /// Returns whether a file has a content already.
  private func holds(
    _ content: FileContent, _ name: String, _ found: stat, in folder: borrowing OpenFile
  ) throws -> Bool {
    guard found.st_mode & S_IFMT == S_IFREG else { return false }
    if case .object(let path, let sha256) = content {
      let object = try OpenFile.object(at: path).status()
      let isLink = object.st_dev == found.st_dev && object.st_ino == found.st_ino
      // A link to a damaged object is damaged.
      if isLink, sha256 == nil { return true }
      guard object.st_size == found.st_size else { return false }
    }
    let file = try OpenFile.reading(name, in: folder.descriptor)
    var isSame = true
    var rest: [UInt8] = []
    // All pieces of both are read, so the pieces of bytes are compared as they come.
    try content.forEachPiece { expected in
      var offset = 0
      while isSame, offset < expected.count {
        if rest.isEmpty { rest = try file.piece() ?? [] }
        let count = min(rest.count, expected.count - offset)
        isSame = count > 0 && rest.prefix(count) == expected[offset..<offset + count]
        rest.removeFirst(count)
        offset += count
      }
    }
    guard isSame, rest.isEmpty else { return false }
    return try file.piece() == nil
  }

  /// Writes a new file under a temporary name.
  private func write(
    _ content: FileContent, as new: String, in folder: borrowing OpenFile
  ) throws -> Outcome {
    if case .object(let path, let sha256) = content {
      _ = try OpenFile.object(at: path)
      if !copies, sha256 != nil { try content.forEachPiece { _ in } }
      if !copies, linkat(AT_FDCWD, path, folder.descriptor, new, 0) == 0 { return .linked }
      guard copies || Self.hasNoLinks(errno) else {
        throw DocumentError.inaccessible(path: path, underlying: POSIXError.current)
      }
    }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = try OpenFile(openat(folder.descriptor, new, flags, 0o600))
    try content.forEachPiece { try file.write($0) }
    return .copied
  }

  /// Returns whether an error says that a hard link is not possible here: on another file system,
  /// on one without links, or if the object has as many as it can have.
  private static func hasNoLinks(_ code: CInt) -> Bool {
    [EXDEV, EPERM, EMLINK, ENOTSUP, ENOSYS].contains(code)
  }
}
