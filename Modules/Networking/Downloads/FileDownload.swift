import Foundation
import HTTPTypes
import SystemSupport

/// One download, from the first request to the file at its final path.
struct FileDownload: Sendable {
  let session: Session
  let request: Request
  let path: String
  let progress: @Sendable (DownloadProgress) -> Void

  func run() async throws -> Download {
    let file = try await PartialFile.open(for: path, of: source)
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

  /// The server sent less than it announced.
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
    case let status: throw DownloadError.refused(status: status)
    }
    let expected = try range?.total ?? size(head, after: file.size)
    for try await piece in response.body {
      try await file.append(piece)
      progress(DownloadProgress(received: file.size, expected: expected))
    }
    return expected.map { $0 == file.size } ?? true
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
struct ContentRange: Equatable {
  /// The position of the first byte, if any are sent.
  let first: Int?
  /// The size of the whole file, if it is known.
  let total: Int?

  init?(_ head: HTTPResponse) {
    guard let text = head.headerFields[.contentRange],
      let match = text.wholeMatch(of: #/bytes +(?:(\d+)-\d+|\*)/(\d+|\*)/#)
    else { return nil }
    first = match.output.1.flatMap { Int($0) }
    total = Int(match.output.2)
  }
}
