import Foundation
import Glibc
import SystemSupport

/// The content of a file that is written: that of an object, or bytes.
enum FileContent: Sendable {
  /// The content of a file, whose hash is checked if it is given.
  case object(path: String, sha256: String? = nil)
  case bytes([UInt8])

  /// Calls a function with each piece, none larger than ``OpenFile/pieceSize``.
  ///
  /// - Throws: ``DocumentError`` if the object cannot be read, and after the last piece if it has
  ///   another hash; what `body` throws.
  func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
    switch self {
    case .bytes(let bytes): try body(bytes)
    case .object(let path, let sha256):
      let file = try OpenFile.object(at: path)
      let digest = try sha256.map { _ in try Digest(.sha256) }
      while let piece = try DocumentError.translating(path, { try file.piece() }) {
        if let digest { piece.withUnsafeBytes { digest.update($0) } }
        try body(piece)
      }
      if let digest, digest.finish() != sha256 { throw DocumentError.damagedObject(path: path) }
    }
  }
}

/// An open file, or an open folder; a link at the end of its path is not followed.
struct OpenFile: ~Copyable {
  /// The size in bytes of all pieces but the last.
  static let pieceSize = 256 * 1024

  let descriptor: CInt

  /// - Parameter descriptor: the result of the call that opened it.
  /// - Throws: `POSIXError`.
  init(_ descriptor: CInt) throws {
    guard descriptor >= 0 else { throw POSIXError.current }
    self.descriptor = descriptor
  }

  /// Opens a regular file.
  static func reading(_ path: String, in folder: CInt = AT_FDCWD) throws -> OpenFile {
    // A pipe without a writer would block.
    let file = try OpenFile(openat(folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
    guard try file.status().st_mode & S_IFMT == S_IFREG else { throw POSIXError(.EINVAL) }
    return file
  }

  /// Opens an object.
  ///
  /// - Throws: ``DocumentError``.
  static func object(at path: String) throws -> OpenFile {
    do { return try reading(path) } catch let error as POSIXError {
      throw error.code == .ENOENT
        ? DocumentError.missingObject(path: path)
        : .inaccessible(path: path, underlying: error)
    }
  }

  deinit { close(descriptor) }

  /// The size in bytes.
  func size() throws -> Int { Int(try status().st_size) }

  func status() throws -> stat {
    var found = stat()
    guard fstat(descriptor, &found) == 0 else { throw POSIXError.current }
    return found
  }

  /// Returns the next piece; `nil` at the end.
  func piece() throws -> [UInt8]? {
    var failure: POSIXError?
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
      while count < buffer.count {
        let read = Glibc.read(
          descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        if read == 0 { return }
        if read > 0 {
          count += read
        } else if errno != EINTR {
          failure = .current
          return
        }
      }
    }
    if let failure { throw failure }
    return piece.isEmpty ? nil : piece
  }

  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw POSIXError.current
      }
    }
  }
}
