public import ErrorCodes
import SystemSupport

/// The progress of a download.
public struct DownloadProgress: Sendable, Hashable {
  /// The number of bytes in the file so far, including those of an earlier run.
  public let received: Int
  /// The number of bytes in the whole file, if the server states it.
  public let expected: Int?
}

/// A file that was downloaded.
public struct Download: Sendable, Hashable {
  /// The path of the file.
  public let path: String
  /// The size of the file in bytes.
  public let size: Int
  /// The number of bytes that an earlier run had downloaded.
  public let resumedFrom: Int
}

/// The reason why a file could not be downloaded, if it is not a ``SessionError``.
public enum DownloadError: Error, Sendable {
  /// The server answered, but not with the file.
  case refused(status: Int)
  /// The file cannot be written.
  case unwritable(path: String, underlying: any Error)
  /// Another download to the same path is in progress, here or in another process.
  case busy(path: String)
}

extension DownloadError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .refused(status: 401), .refused(status: 403): .accessDenied
    case .refused(status: 404), .refused(status: 410): .notFound
    case .refused: .serverFailed
    case .unwritable(_, let underlying):
      SystemErrorText.isFull(underlying) ? .diskFull : .outputFile
    case .busy: .alreadyRunning
    }
  }

  /// A sentence for a log.
  public var description: String {
    switch self {
    case .refused(let status): "the server answered with status \(status) in place of the file"
    case .unwritable(let path, _): "cannot write the file \(path)"
    case .busy(let path): "another download to \(path) is in progress"
    }
  }
}
