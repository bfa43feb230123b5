/// The progress of a download.
public struct DownloadProgress: Sendable, Hashable {
  /// Bytes in the file so far, those of an earlier run included.
  public let received: Int
  /// Bytes in the whole, where the server says so.
  public let expected: Int?
}

/// A file that was downloaded.
public struct Download: Sendable, Hashable {
  /// The path of the file.
  public let path: String
  /// Its size in bytes.
  public let size: Int
  /// The number of bytes that an earlier run had downloaded.
  public let resumedFrom: Int
}

/// The reason that a file could not be downloaded, if it is no ``SessionError``.
public enum DownloadError: Error, Sendable {
  /// The server answered, and not with the file.
  case refused(status: Int)
  /// The file cannot be written.
  case unwritable(path: String, underlying: any Error)
  /// Another download to the same place is under way, here or in another process.
  case busy(path: String)
}

extension DownloadError: CustomStringConvertible {
  /// A sentence for a log.
  public var description: String {
    switch self {
    case .refused(let status): "the server answered \(status) and not with the file"
    case .unwritable(let path, _): "the file \(path) cannot be written"
    case .busy(let path): "another download to \(path) is under way"
    }
  }
}
