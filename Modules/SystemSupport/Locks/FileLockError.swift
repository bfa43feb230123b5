/// The reason why a lock between processes could not be taken.
package enum FileLockError: Error, Sendable, Equatable {
  /// Another process, or another open file of this one, holds the lock and did not release it in
  /// time.
  case heldElsewhere(path: String)
  /// The folder or the file cannot be written by this user, or the file system is read-only.
  case notWritable(path: String, errno: Int32)
  /// The system refused for another reason.
  case failed(path: String, errno: Int32)

  /// The path of the lock file.
  package var path: String {
    switch self {
    case .heldElsewhere(let path), .notWritable(let path, _), .failed(let path, _): path
    }
  }
}

extension FileLockError: CustomStringConvertible {
  /// A sentence for the user.
  package var description: String {
    switch self {
    case .heldElsewhere(let path): "another process holds \(path)"
    case .notWritable(let path, _): "cannot write \(path): \(reason)"
    case .failed(let path, _): "cannot lock \(path): \(reason)"
    }
  }

  /// The reason, without the path.
  var reason: String {
    switch self {
    case .heldElsewhere: "another process holds it"
    case .notWritable(_, let code), .failed(_, let code): SystemErrorText.of(errno: code)
    }
  }
}
