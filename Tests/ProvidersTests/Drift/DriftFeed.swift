import Foundation
import HTTPTypes
import Models
import Networking
import Sync
import SyncSupport

/// The cursor of a drifting list.
struct DriftCursor: FeedCursor {
  /// Only what changed at or after this many milliseconds is read; `nil` reads everything.
  var since: Int64?
  /// The next page, as the server or the way of paging names it.
  var at: String?
  /// The server's clock at the request for the first page.
  var asOf: Int64?
  /// True if the whole list is read for the second time, to find the rows that moved.
  var isSecond = false
  /// On the way back through an instant that filled pages: where to go on after it.
  var beyond: Int64?
}

/// A drifting list, read in the way that its shape allows.
struct DriftFeed: ResourceFeed {
  typealias Cursor = DriftCursor

  let shape: DriftShape
  let pageSize: Int

  var traits: FeedTraits { shape.changes.traits(of: "drift") }

  var contents: ListContents<Invoice, Cursor> {
    guard shape.changes == .versions else { return .records }
    return .versions(batch: 3) { ids, cursor, ask in
      let request = try Self.request(
        "http://drift.test/records?ids=" + ids.joined(separator: ","))
      return try page(try await ask(request), at: cursor)
    }
  }

  func source(of cursor: Cursor) -> String { "drift" }

  func begin(_ start: FeedStart<Cursor>, ask: @escaping Ask) async throws -> Cursor {
    switch start {
    case .signIn, .everything: Cursor()
    case .changes(let cursor): Cursor(since: cursor.since)
    case .continuing(let cursor): cursor
    case .since(let instant, _): Cursor(since: instant.microsecondsSinceEpoch / 1_000)
    }
  }

  func request(at cursor: Cursor) throws -> Request {
    if let at = cursor.at, at.hasPrefix("http") { return try Self.request(at) }
    let words = [cursor.at.map { "at=\($0)" }, cursor.since.map { "since=\($0)" }]
    return try Self.request(
      "http://drift.test/list?" + words.compactMap(\.self).joined(separator: "&"))
  }

  func count(at cursor: Cursor, ask: @escaping Ask) async throws -> ListCount {
    guard shape.canMove, !cursor.isSecond else { return .notNeeded }
    let response = try await ask(Self.request("http://drift.test/list?count=1"))
    return try DriftPage(response).count.map(ListCount.records) ?? .unknown
  }

  func exhaustive(_ cursor: Cursor) -> Cursor { Cursor(isSecond: true) }

  func page(_ response: Response, at cursor: Cursor) throws -> Page<[Invoice], Cursor> {
    let read = try DriftPage(response)
    var page = Page<[Invoice], Cursor>(resume: cursor)
    page.records = read.records
    page.versions = read.versions
    page.newest = read.newest.flatMap(Timestamp.init(millisecondsSinceEpoch:))
    if shape.isInOrderOfChange, shape.paging != .cursor {
      stepByInstant(read, at: cursor, &page)
    } else {
      advance(read, at: cursor, &page)
    }
    return page
  }

  /// Follows the server's next pages to the end.
  ///
  /// A later run begins at the time of the request for the first page, or a moment before the
  /// newest row.
  private func advance(_ read: DriftPage, at cursor: Cursor, _ page: inout Page<[Invoice], Cursor>)
  {
    var next = cursor
    next.asOf = cursor.asOf ?? read.asOf
    switch shape.paging {
    case .number: next.at = "\((cursor.at.flatMap { Int($0) } ?? 1) + 1)"
    case .offset: next.at = "\((cursor.at.flatMap { Int($0) } ?? 0) + read.count(of: shape))"
    case .cursor, .nextLink, .token, .linkHeader: next.at = read.next
    }
    // A server may link to a page of nothing.
    let isEnd = read.next == nil || read.count(of: shape) == 0
    if !isEnd { page.next = next }
    page.resume = isEnd ? Cursor(since: next.asOf, isSecond: cursor.isSecond) : next
  }

  /// Goes on from the last instant seen; pages are counted only inside an instant that fills them,
  /// and read backwards once more, since what moves out of it draws those behind it forward.
  private func stepByInstant(
    _ read: DriftPage, at cursor: Cursor, _ page: inout Page<[Invoice], Cursor>
  ) {
    let first = shape.paging == .number ? 1 : 0
    let step = shape.paging == .number ? 1 : pageSize
    let at = cursor.at.flatMap { Int($0) } ?? first
    if let beyond = cursor.beyond {
      page.resume = Cursor(since: cursor.since)
      page.next = cursor
      page.next?.at = "\(at - step)"
      if at == first {
        page.resume = Cursor(since: beyond)
        page.next = beyond == cursor.since ? nil : page.resume
      }
      return
    }
    let reached = [cursor.since, read.newest].compactMap(\.self).max()
    let isEnd = read.next == nil
    guard at == first || (reached == cursor.since && !isEnd) else {
      page.resume = Cursor(since: cursor.since)
      page.next = Cursor(since: cursor.since, at: "\(at - step)", beyond: reached)
      return
    }
    page.resume = Cursor(since: reached)
    guard !isEnd else { return }
    page.next = page.resume
    if reached == cursor.since { page.next?.at = "\(at + step)" }
  }

  private static func request(_ text: String) throws -> Request {
    guard let url = URL(string: text) else { throw CocoaError(.formatting) }
    return try Request(url: url)
  }
}
