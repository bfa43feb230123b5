import Foundation
import HTTPTypes
import Networking

/// Where the page after one is, as the server says it.
struct RESTTurn {
  let resource: RESTResource
  let requests: RESTRequests

  /// The place of the next page; `nil` at the end of the list.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where the server leads in a circle or elsewhere.
  func next(
    after place: RESTPlace, _ page: RESTPage, _ response: Response
  ) throws -> RESTPlace? {
    let paging = resource.paging
    switch paging.style {
    case .none: return nil
    case .page:
      let total = try page.number(at: paging.total)
      let isEnd =
        try page.flag(at: paging.more).map { !$0 } ?? total.map { place.number + 1 >= $0 } ?? false
      // A page shorter than asked for is no end: servers have limits of their own.
      return isEnd || page.count == 0 ? nil : place.turned(by: 1)
    case .offset:
      let total = place.since == nil ? try page.number(at: resource.count) : nil
      let isEnd =
        try page.flag(at: paging.more).map { !$0 } ?? total.map { place.number + page.count >= $0 }
        ?? false
      return isEnd || page.count == 0 ? nil : place.turned(by: page.count)
    case .cursor:
      guard page.count > 0, try page.flag(at: paging.more) ?? true else { return nil }
      return try turned(place, to: cursor(page))
    case .token: return try turned(place, to: paging.field.flatMap { try page.text(at: $0) })
    case .next:
      let text = try paging.field.flatMap { try page.text(at: $0) }
      return try turned(place, to: text.map { try address($0, on: response) })
    case .link:
      let text = RESTLink.name.flatMap { response.head.headerFields[$0] }
        .flatMap { RESTLink.next(in: $0) }
      return try turned(place, to: text.map { try address($0, on: response) })
    }
  }

  private func address(_ text: String, on response: Response) throws -> String {
    try requests.address(text, from: response.url).absoluteString
  }

  private func cursor(_ page: RESTPage) throws -> String {
    guard let path = resource.paging.field,
      let word = page.rows.last.flatMap({ path.value(in: $0) })?.word, !word.isEmpty
    else {
      throw SyncError.unreadable(
        place: resource.paging.field?.description ?? "", reason: "the last row has no cursor")
    }
    return word
  }

  private func turned(_ place: RESTPlace, to mark: String?) throws -> RESTPlace? {
    guard let mark else { return nil }
    guard mark != place.mark else {
      throw SyncError.unreadable(place: "the list", reason: "a page names itself as the next one")
    }
    return place.turned(by: 1, to: mark)
  }
}
