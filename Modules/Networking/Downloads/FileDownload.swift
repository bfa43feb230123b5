import Crypto
import Foundation
import HTTPTypes
import SystemSupport

/// One download, from the first request to the file in its place.
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
      // What was continued has come further; what was started over may be no nearer than before.
      let hasProgressed = file.restarts == before.restarts && file.size > before.size
      failures = hasProgressed ? 0 : failures + 1
      guard failures < session.configuration.retry.attempts else {
        throw failure
          ?? SessionError.connectionLost(origin: request.origin, underlying: Incomplete())
      }
      // After progress as after a first failure: it was lost all the same.
      if failure != nil { try await session.pause(after: max(failures, 1), before: request) }
    }
  }

  /// Tells apart where it comes from, and holds nothing of a query that could be secret.
  private var source: String {
    SHA256.hash(data: Data(request.wireURL.utf8)).hexadecimal
  }

  /// Less has come than was announced.
  private struct Incomplete: Error {}

  /// Asks for what is missing and writes it; `false` if more has to be asked for.
  private func fetch(into file: PartialFile) async throws -> Bool {
    var request = request
    // The bytes of the file itself are counted and continued, not those of a compressed form.
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

  /// The size of the whole by the length of the part that comes.
  ///
  /// - Throws: `SessionError.malformedResponse` for a length that no file has.
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

  /// Returns true if a part belongs to the stored version, as far as its server says: some know
  /// ranges and not their conditions.
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
    // A time names a version only where no second one can be of the same second (RFC 9110 section
    // 8.8.2.2).
    guard let text = head.headerFields[.lastModified], let modified = HTTPDate.parse(text),
      let date = head.headerFields[.date].flatMap({ HTTPDate.parse($0) }),
      date.timeIntervalSince(modified) >= 60
    else { return nil }
    return text
  }
}

extension SessionError {
  /// Not where the time for all of it is up, or the published limit asks for more than may be
  /// waited.
  fileprivate var isWorthRepeating: Bool {
    switch self {
    case .timedOut(.operation, _), .rateLimited: false
    default: isTransient
    }
  }
}

/// The field `Content-Range` (RFC 9110 section 14.4).
struct ContentRange: Equatable {
  /// The first byte, where any are sent.
  let first: Int?
  /// The size of the whole, where it is known.
  let total: Int?

  init?(_ head: HTTPResponse) {
    guard let text = head.headerFields[.contentRange],
      let match = text.wholeMatch(of: #/bytes +(?:(\d+)-\d+|\*)/(\d+|\*)/#)
    else { return nil }
    first = match.output.1.flatMap { Int($0) }
    total = Int(match.output.2)
  }
}
