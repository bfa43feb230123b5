public import ErrorCodes
public import Foundation
import HTTPTypes
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
  /// A redirect led to another server, which answered, but not with the file.
  case linkRefused(status: Int)
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
    case .refused, .linkRefused: .serverFailed
    case .unwritable(_, let underlying):
      SystemErrorText.isFull(underlying) ? .diskFull : .outputFile
    case .busy: .alreadyRunning
    }
  }

  /// A sentence for a log.
  public var description: String {
    switch self {
    case .refused(let status): "the server answered with status \(status) in place of the file"
    case .linkRefused(let status):
      "the server of the file answered with status \(status) in its place"
    case .unwritable(let path, _): "cannot write the file \(path)"
    case .busy(let path): "another download to \(path) is in progress"
    }
  }
}

extension DownloadError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .refused(status: 401), .refused(status: 403):
      "Sign in again and grant access to the file."
    case .refused(status: 404), .refused(status: 410): "Check that the provider still has the file."
    case .refused, .linkRefused: "Try again later."
    case .unwritable(_, let underlying) where SystemErrorText.isFull(underlying):
      "Free some disk space and try again. What was received is kept."
    case .unwritable: "Check the folder and its permissions, or choose another file."
    case .busy: "Wait for the other download to end, or choose another file."
    }
  }
}

extension Session {
  /// Downloads to a file, in constant memory, and resumes an interrupted download.
  ///
  /// The received part is in `path.part` until the file is complete; it is then renamed to `path`.
  /// A lost connection is resumed if the server identifies the version of the file (a strong `ETag`
  /// or `Last-Modified`, RFC 9110 section 13.1.5). So is the download of an earlier run of the
  /// program. If the file has changed, the download starts over.
  ///
  /// `timeout.request` limits each request of the download. The next request resumes after the
  /// received part, if the server allows it.
  ///
  /// - Parameters:
  ///   - request: the request for the file.
  ///   - path: the file to write.
  ///   - progress: called after each piece.
  /// - Throws: ``DownloadError``, and the errors of ``stream(_:)``. The received part is kept for
  ///   the next time.
  public func download(
    _ request: Request, to path: String,
    progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws -> Download {
    try await FileDownload(session: self, request: request, path: path, progress: progress).run()
  }
}

private struct FileDownload: Sendable {
  let session: Session
  let request: Request
  let path: String
  let progress: @Sendable (DownloadProgress) -> Void

  func run() async throws -> Download {
    let file = try await PartialFile.open(for: path, of: source)
    do { return try await download(into: file) } catch {
      // Nothing to continue with.
      if file.size == 0 { await file.discard() }
      throw error
    }
  }

  private func download(into file: PartialFile) async throws -> Download {
    let (restarts, size) = (file.restarts, file.size)
    var failures = 0
    while true {
      let before = (restarts: file.restarts, size: file.size)
      var failure: (any Error)?
      do {
        if try await fetch(into: file) {
          let resumedFrom = file.restarts == restarts ? size : 0
          let download = Download(path: path, size: file.size, resumedFrom: resumedFrom)
          try await file.complete()
          return download
        }
      } catch SessionError.connectionLost(_, let cause) where cause is GaveWay {
        // Another session needed the permit; the request waits for the next one.
        continue
      } catch let error as SessionError where error.isWorthRepeating {
        failure = error
      }
      // A resumed download has progressed; a restarted one may be no further than before.
      let hasProgressed = file.restarts == before.restarts && file.size > before.size
      failures = hasProgressed ? 0 : failures + 1
      guard failures < session.configuration.retry.attempts else {
        throw failure
          ?? SessionError.connectionLost(origin: request.origin, underlying: Incomplete())
      }
      // After progress, the wait is that of a first failure, because the connection was lost all
      // the same.
      if failure != nil { try await session.pause(after: max(failures, 1), before: request) }
    }
  }

  /// The identity of the download's origin, without any part of a query that could be secret.
  private var source: String {
    SHA256.hash(Data(request.wireURL.utf8)).hexadecimal
  }

  private struct Incomplete: Error {}

  /// Requests the missing part and writes it; returns `false` if more has to be requested.
  private func fetch(into file: PartialFile) async throws -> Bool {
    var request = request
    // Without compression: the bytes of the file itself are counted and resumed.
    request.fields[.acceptEncoding] = "identity"
    if file.size > 0, let validator = file.validator {
      request.fields[.range] = "bytes=\(file.size)-"
      request.fields[.ifRange] = validator
    }
    let response = try await session.stream(request)
    let head = response.head
    let range = ContentRange(head)
    switch head.status.code {
    case 206 where range?.first == file.size && isSameVersion(head, as: file.validator): break
    case 416 where range?.total == file.size && file.size > 0: return true
    case 206, 416:
      try await file.restart(validator: nil)
      return false
    case 200: try await file.restart(validator: Self.validator(of: head))
    case let status: throw refusal(status, response)
    }
    let expected = try range?.total ?? size(head, after: file.size)
    for try await piece in response.body {
      try await file.append(piece)
      progress(DownloadProgress(received: file.size, expected: expected))
    }
    return expected.map { $0 == file.size } ?? true
  }

  /// Returns the error for an answer that is not the file.
  private func refusal(_ status: Int, _ response: StreamingResponse) -> any Error {
    guard Origin(response.url) == request.origin else {
      return DownloadError.linkRefused(status: status)
    }
    if status == 429,
      let wait = RetryAfter.seconds(in: response.head, now: session.clock.wall())
    {
      return SessionError.rateLimited(retryAfter: .seconds(wait))
    }
    return DownloadError.refused(status: status)
  }

  /// Returns the size of the whole file, computed from the length of the announced part.
  ///
  /// - Throws: `SessionError.malformedResponse` for a length that no file can have.
  private func size(_ head: HTTPResponse, after before: Int) throws -> Int? {
    let malformed = SessionError.malformedResponse(
      origin: request.origin, underlying: LengthOutOfRange())
    guard let text = head.headerFields[.contentLength] else { return nil }
    guard let length = Int(text), length >= 0 else { throw malformed }
    let (size, isTooLarge) = before.addingReportingOverflow(length)
    guard !isTooLarge else { throw malformed }
    return size
  }

  private struct LengthOutOfRange: Error {}

  /// Returns whether a part belongs to the stored version, as far as its server says.
  ///
  /// Some servers support ranges but not their conditions.
  private func isSameVersion(_ head: HTTPResponse, as validator: String?) -> Bool {
    guard let validator else { return false }
    let tag = head.headerFields[.eTag]
    if validator.hasPrefix("\"") { return tag == nil || tag == validator }
    return head.headerFields[.lastModified].map { $0 == validator } ?? true
  }

  /// Returns the validator that names this version exactly, if the server serves ranges.
  private static func validator(of head: HTTPResponse) -> String? {
    if head.headerFields[.acceptRanges]?.lowercased() == "none" { return nil }
    if let tag = head.headerFields[.eTag], !tag.hasPrefix("W/") { return tag }
    // A time identifies a version only if no second version can have the same second (RFC 9110
    // section 8.8.2.2).
    guard let text = head.headerFields[.lastModified], let modified = HTTPDate.parse(text),
      let date = head.headerFields[.date].flatMap({ HTTPDate.parse($0) }),
      date.timeIntervalSince(modified) >= 60
    else { return nil }
    return text
  }
}

extension SessionError {
  /// False if the time for the whole download is up, or if the published limit requires a longer
  /// wait than is allowed.
  fileprivate var isWorthRepeating: Bool {
    switch self {
    case .timedOut(.operation, _), .rateLimited: false
    default: isTransient
    }
  }
}

/// The field `Content-Range` (RFC 9110 section 14.4).
private struct ContentRange: Equatable {
  let first: Int?
  let total: Int?

  init?(_ head: HTTPResponse) {
    guard let text = head.headerFields[.contentRange],
      let match = text.wholeMatch(of: #/bytes +(?:(\d+)-\d+|\*)/(\d+|\*)/#)
    else { return nil }
    first = match.output.1.flatMap { Int($0) }
    total = Int(match.output.2)
  }
}
