import Foundation
import Glibc
import SystemSupport

/// A file that a report is written to.
public struct ReportFile: Sendable {
  /// The path, with links resolved.
  public let path: String

  /// Creates a file from its path.
  public init(path: String) {
    self.path = Self.resolved(path)
  }

  /// Writes the whole text beside the file, and renames it into place; a reader sees either the old
  /// file or the new one.
  ///
  /// Only the owner can read a new file; an existing one keeps its mode. What is no file, such as
  /// `/dev/stdout` or a named pipe, is written to as it is.
  ///
  /// - Throws: ``ReportError``; an existing file is then unchanged.
  public func write(_ text: String) async throws {
    try await BlockingWork.run { [path] in
      do {
        try Self.write(Data(text.utf8), to: path)
      } catch let error as POSIXError where error.code == .ENOSPC || error.code == .EDQUOT {
        throw ReportError.full(path: path)
      } catch {
        throw ReportError.inaccessible(path: path, underlying: error)
      }
    }
  }

  private static func write(_ data: Data, to path: String) throws {
    var found = stat()
    let exists = stat(path, &found) == 0
    guard !exists || found.st_mode & S_IFMT == S_IFREG else {
      guard found.st_mode & S_IFMT != S_IFDIR else { throw POSIXError(.EISDIR) }
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw POSIXError.current }
      return try write(data, to: descriptor)
    }
    // A read-only file is not replaced, although its folder would allow it.
    if exists, access(path, W_OK) != 0 { throw POSIXError.current }
    let temporary = path + ".\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError.current }
    do {
      if exists { fchmod(descriptor, found.st_mode & 0o777) }
      try write(data, to: descriptor)
      guard rename(temporary, path) == 0 else { throw POSIXError.current }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Writes everything and closes the descriptor.
  private static func write(_ data: Data, to descriptor: Int32) throws {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else {
        let error = POSIXError.current
        close(descriptor)
        throw error
      }
      rest = rest.dropFirst(max(count, 0))
    }
    guard close(descriptor) == 0 else { throw POSIXError.current }
  }

  private static func resolved(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }
}

/// An error of writing a report.
public enum ReportError: Error, Sendable {
  /// No room is left on the disk.
  case full(path: String)
  /// The file or its folder cannot be written.
  case inaccessible(path: String, underlying: any Error)
}

extension ReportError: CustomStringConvertible {
  /// A sentence for the user.
  public var description: String {
    switch self {
    case .full(let path): "there is no room left for \(path)"
    case .inaccessible(let path, let underlying):
      "\(path) cannot be written"
        + ((underlying as? POSIXError).map { ": \(String(cString: strerror($0.code.rawValue)))" }
          ?? "")
    }
  }
}
