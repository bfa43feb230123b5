import Foundation
import HTTPTypes

/// One download, from the first request to the file in its place.
struct FileDownload: Sendable {
  let session: Session
  let request: Request
  let path: String
  let progress: @Sendable (DownloadProgress) -> Void

  func run() async throws -> Download {
    let file = try await PartialFile.open(for: path, of: source)
    let resumedFrom = file.size
    var failures = 0
    while true {
      let before = file.size
      do {
        if try await fetch(into: file) {
          let size = file.size
          try await file.complete()
          return Download(path: path, size: size, resumedFrom: resumedFrom)
        }
        failures += 1
      } catch let error as SessionError where error.isTransient {
        failures = file.size > before ? 1 : failures + 1
        guard failures < session.configuration.retry.attempts else { throw error }
      }
      guard failures < session.configuration.retry.attempts else {
        throw SessionError.connectionLost(origin: request.origin, underlying: Incomplete())
      }
    }
  }

  /// Where it comes from, without the query: that can hold what must not be on the disk.
  private var source: String { "\(request.origin)\(request.target.prefix { $0 != "?" })" }

  /// Less has come than was announced.
  private struct Incomplete: Error {}

  /// Asks for what is missing and writes it; `false` where it has to be asked for again.
  private func fetch(into file: PartialFile) async throws -> Bool {
    var request = request
    // The bytes of the file itself are counted and continued, not those of a compressed form.
    request.fields[.acceptEncoding] = "identity"
    if file.size > 0, let validator = file.validator {
      request.fields[.range] = "bytes=\(file.size)-"
      request.fields[.ifRange] = validator
    }
    let response = try await session.stream(request)
    let range = ContentRange(response.head)
    switch response.head.status.code {
    case 206 where range?.first == file.size: break
    case 416 where range?.total == file.size && file.size > 0: return true
    case 206, 416:
      try await file.restart(validator: nil)
      return false
    case 200: try await file.restart(validator: Self.validator(of: response.head))
    case let status: throw DownloadError.refused(status: status)
    }
    let expected =
      range?.total
      ?? response.head.headerFields[.contentLength].flatMap { Int($0) }.map { file.size + $0 }
    for try await piece in response.body {
      try await file.append(piece)
      progress(DownloadProgress(received: file.size, expected: expected))
    }
    return expected.map { $0 == file.size } ?? true
  }

  /// What names this version of the file exactly, where the server serves parts of it.
  private static func validator(of head: HTTPResponse) -> String? {
    if head.headerFields[.acceptRanges]?.lowercased() == "none" { return nil }
    if let tag = head.headerFields[.eTag], !tag.hasPrefix("W/") { return tag }
    return head.headerFields[.lastModified]
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
