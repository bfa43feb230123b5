import Foundation
import HTTPTypes
import JSONReading
import Networking
import Sync

/// The step from a page to the next, as the server states it.
struct RESTPageStep {
  let resource: RESTResource
  let requests: RESTRequests

  /// Returns the cursor of the next page; `nil` at the end of the list.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the server leads in a cycle or to
  ///   another server.
  func next(
    after cursor: RESTCursor, _ page: RESTPage, _ response: Response
  ) throws -> RESTCursor? {
    let paging = resource.paging
    switch paging.style {
    case .none: return nil
    case .page: return try counted(cursor, page, step: 1, total: page.number(at: paging.total))
    case .offset:
      // Servers rarely document whether a count of changes covers the changes alone.
      let total = cursor.since == nil ? try page.number(at: resource.count) : nil
      return try counted(cursor, page, step: page.count, total: total)
    case .cursor:
      guard try page.flag(at: paging.more) ?? (page.count > 0) else { return nil }
      let mark = try lastCursor(page)
      guard mark != cursor.mark else { throw Self.cycle }
      return try counting(page, after: cursor, in: cursor.advanced(by: 1, to: mark))
    case .token, .next, .link:
      guard try page.flag(at: paging.more) ?? true else { return nil }
      return try next(after: cursor, at: mark(on: page, response)).map {
        try counting(page, after: cursor, in: $0)
      }
    }
  }

  private static var emptyPagesLimit: Int { 1_000 }

  /// Returns the next cursor with the number of empty pages before it, which is limited: each of
  /// them may name a further one, without end.
  private func counting(
    _ page: RESTPage, after cursor: RESTCursor, in next: RESTCursor
  ) throws -> RESTCursor {
    guard page.count == 0 else { return next }
    let count = (cursor.emptyPages ?? 0) + 1
    guard count < Self.emptyPagesLimit else {
      throw SyncError.unreadable(
        part: "the list", reason: "\(count) pages in a row have no rows, and each names another")
    }
    var next = next
    next.emptyPages = count
    return next
  }

  private func mark(on page: RESTPage, _ response: Response) throws -> String? {
    let text = try resource.paging.field.flatMap { try page.text(at: $0) }
    switch resource.paging.style {
    case .none, .page, .offset, .cursor: return text
    // Some servers end a list with a token that is a number out of range.
    case .token: return text == "0" || text == "-1" ? nil : text
    case .next: return try text.map { try address($0, on: response) }
    case .link:
      let text = RESTLink.name.flatMap { response.head.headerFields[$0] }
        .flatMap { RESTLink.next(in: $0) }
      return try text.map { try address($0, on: response) }
    }
  }

  /// Returns the next page of a list with page numbers or row offsets.
  ///
  /// A page with fewer rows than requested is not the end, because servers have limits of their
  /// own. Nor is an empty page, if the server reports another one.
  private func counted(
    _ cursor: RESTCursor, _ page: RESTPage, step: Int, total: Int?
  ) throws -> RESTCursor? {
    let isEmpty = page.count == 0
    let flag = try page.flag(at: resource.paging.more)
    var hasMore = flag ?? total.map { cursor.number + step < $0 } ?? !isEmpty
    if isEmpty, flag == nil, cursor.since != nil { hasMore = false }
    let id = resource.changes.versions?.id ?? resource.fields.fields["id"]?.path
    let outline = id.flatMap { page.outline(by: $0, of: resource) }
    // A server that ignores the number, or that stays at its last page, sends the same page again.
    if let outline, outline == cursor.compared, hasMore || !isEmpty {
      throw SyncError.unreadable(
        part: "the list",
        reason: "the page at \(resource.paging.parameter ?? "")="
          + "\(cursor.number + (resource.paging.style == .page ? resource.paging.first ?? 1 : 0)) "
          + "repeats an earlier one; correct paging.parameter, or if the server stays at its last "
          + "page, set paging.more" + (resource.paging.style == .page ? " or paging.total" : ""))
    }
    guard hasMore else { return nil }
    guard step > 0 else {
      throw SyncError.unreadable(
        part: "the list", reason: "a page is empty, though more rows follow")
    }
    var next = cursor.advanced(by: step)
    // Cursors are predicted up to a known number of pages, and a predicted cursor lacks the outline
    // of the page before it.
    let isCounted = resource.paging.style == .page && total.map { cursor.number + 1 < $0 } ?? false
    next.compared = isCounted ? cursor.compared ?? outline : outline
    return next
  }

  private func address(_ text: String, on response: Response) throws -> String {
    try requests.address(text, from: response.url).absoluteString
  }

  private func lastCursor(_ page: RESTPage) throws -> String {
    guard let path = resource.paging.field,
      let word = page.rows.last.flatMap({ path.value(in: $0) })?.word, !word.isEmpty
    else {
      throw SyncError.unreadable(
        part: resource.paging.field?.description ?? "", reason: "the last row has no cursor")
    }
    return word
  }

  private static var cycle: SyncError {
    .unreadable(
      part: "the list",
      reason: "a page names an earlier one as the next; correct paging.field, or if the pages say "
        + "whether more follow, set paging.more")
  }

  /// Returns the cursor of the page to which a mark of the server leads.
  ///
  /// Such a mark must not repeat. A cursor taken from a row may repeat, because the row can move.
  private func next(after cursor: RESTCursor, at mark: String?) throws -> RESTCursor? {
    guard let mark else { return nil }
    guard mark != cursor.mark, mark != cursor.passed else { throw Self.cycle }
    var next = cursor.advanced(by: 1, to: mark)
    // Brent's algorithm detects a cycle of any length: it remembers one mark, and replaces it after
    // twice as many pages each time.
    if next.number.nonzeroBitCount == 1 { next.passed = mark }
    return next
  }
}

/// The header field `Link` (RFC 8288).
enum RESTLink {
  static let name = HTTPField.Name("Link")

  /// Returns the target of the first link with the relation `next`; `nil` if there is none.
  static func next(in field: String) -> String? {
    var rest = field[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let target = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      let parameters = parameters(&rest)
      let relations = parameters["rel"]?.split(separator: " ").map { $0.lowercased() } ?? []
      if relations.contains("next") { return String(target) }
    }
    return nil
  }

  /// Reads the parameters of a link, up to the comma before the next one.
  private static func parameters(_ rest: inout Substring) -> [String: String] {
    var found: [String: String] = [:]
    var part = ""
    var isQuoted = false
    func end() {
      let pieces = part.split(separator: "=", maxSplits: 1).map {
        $0.trimming(while: { $0.isWhitespace || $0 == "\"" })
      }
      // The first occurrence of a parameter counts (RFC 8288 section 3.3).
      if pieces.count == 2, found[pieces[0].lowercased()] == nil {
        found[pieces[0].lowercased()] = pieces[1]
      }
      part = ""
    }
    while let character = rest.popFirst() {
      switch character {
      case "\"":
        isQuoted.toggle()
        part.append(character)
      case "," where !isQuoted:
        end()
        return found
      case ";" where !isQuoted: end()
      default: part.append(character)
      }
    }
    end()
    return found
  }
}

extension Substring {
  fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> String {
    var text = self.drop(while: isTrimmed)
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return String(text)
  }
}
