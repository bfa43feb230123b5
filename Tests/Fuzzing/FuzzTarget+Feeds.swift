import Foundation
import HTTPTypes
import Logging
import Models
import Networking
import Storage
import Sync
import Synchronization

extension FuzzTarget {
  /// A cursor that a later run could not go on from.
  private struct LostCursor: Error {}

  /// A page of a provider's list, and what is asked of the same answer before and after: whether it
  /// is a failure, and a count.
  ///
  /// - Parameter counting: a cursor at which the list is counted.
  static func page<Feed: ResourceFeed>(
    _ name: String, _ feed: Feed, cursor text: String, counting: String? = nil, words: [String]
  ) throws -> FuzzTarget where Feed.Record: Hashable {
    let cursor = try JSONDecoder().decode(Feed.Cursor.self, from: Data(text.utf8))
    let counted = try JSONDecoder().decode(
      Feed.Cursor.self, from: Data((counting ?? text).utf8))
    let url = try feed.request(at: cursor).url
    return FuzzTarget(name: name, words: words + json) { input in
      var kinds: [String] = []
      for status in [200, 400] {
        let refusal = try kind { try feed.failure(in: response(input, url, status: status)) }
        kinds.append(refusal)
      }
      do {
        let count = try await feed.count(at: counted) { response(input, $0.url) }
        kinds.append("\(count == .records(0)) \(count == .unknown)")
      } catch { kinds.append(try kind { throw error }) }
      do {
        let page = try feed.page(response(input, url), at: cursor)
        return try outcome(of: page, kinds)
      } catch { return Outcome(kind: try kind { throw error }) }
    }
  }

  /// Makes a target of the requests that complete a page: the page is sound, and the answers to
  /// these requests are the input.
  static func completion<Feed: ResourceFeed>(
    _ name: String, _ feed: Feed, cursor text: String, page body: String, words: [String]
  ) throws -> FuzzTarget where Feed.Record: Hashable {
    let cursor = try JSONDecoder().decode(Feed.Cursor.self, from: Data(text.utf8))
    let url = try feed.request(at: cursor).url
    let page = try feed.page(response(Array(body.utf8), url), at: cursor)
    return FuzzTarget(name: name, words: words + json) { input in
      do {
        let completed = try await feed.complete(page, at: cursor) { request in
          response(input, request.url)
        }
        return try outcome(of: completed)
      } catch { return Outcome(kind: try kind { throw error }) }
    }
  }

  /// Makes a target of the answers to requests for records by identifier.
  static func records<Feed: ResourceFeed>(
    _ name: String, _ feed: Feed, _ ids: [String], cursor text: String, words: [String]
  ) throws -> FuzzTarget where Feed.Record: Hashable {
    let cursor = try JSONDecoder().decode(Feed.Cursor.self, from: Data(text.utf8))
    let fetch = try feed.versions.fetch
    return FuzzTarget(name: name, words: words + json) { input in
      do {
        let page = try await fetch(ids, cursor) { response(input, $0.url) }
        return try outcome(of: page)
      } catch { return Outcome(kind: try kind { throw error }) }
    }
  }

  /// Makes a target of the answers to a feed's requests before its first page.
  static func beginning(
    _ name: String, _ feed: some ResourceFeed, words: [String]
  ) -> FuzzTarget {
    let echo = Echo()
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    let session = Session(
      name: name, configuration: configuration, middleware: [echo],
      logger: Logger(label: "silent", factory: { _ in SwiftLogNoOpLogHandler() }))
    return FuzzTarget(name: name, words: words + json) { input in
      echo.body.withLock { $0 = input }
      do {
        let cursor = try await feed.begin(.everything(known: nil)) { request in
          try await session.send(request).checked(
            at: Timestamp(microsecondsSinceEpoch: 0), for: feed)
        }
        return Outcome(kind: "place", content: try stored(cursor).hashValue)
      } catch { return Outcome(kind: try kind { throw error }) }
    }
  }

  /// An answer with its time, by which what is read of it does not depend on when that is.
  static func response(_ body: [UInt8], _ url: URL, status: Int = 200) -> Response {
    var head = HTTPResponse(status: .init(code: status))
    head.headerFields[.date] = "Thu, 20 Jun 2024 09:00:00 GMT"
    return Response(head: head, body: body, url: url)
  }

  static func outcome<Record: Hashable, Cursor: Codable & Equatable>(
    of page: Page<[Record], Cursor>, _ kinds: [String] = []
  ) throws -> Outcome {
    var hasher = Hasher()
    hasher.combine(page.records)
    for failure in page.failures { hasher.combine("\(failure)") }
    hasher.combine(page.removals)
    hasher.combine(page.versions)
    hasher.combine(page.unfinished)
    hasher.combine(page.newest)
    hasher.combine(try page.next.map(stored))
    hasher.combine(try stored(page.resume))
    let failures = Set(page.failures.map { "\(withoutDigits($0.path)) \($0.reason)" })
    let counts = [page.records.count, page.removals.count, page.versions.count].map { min($0, 2) }
    return Outcome(
      kind: "\(kinds) \(counts) \(page.next == nil) \(failures.sorted())",
      content: hasher.finalize())
  }

  /// Stores a cursor as a run does, which has to lead to the same one.
  private static func stored<Cursor: Codable & Equatable>(_ cursor: Cursor) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(cursor)
    let read = try? JSONDecoder().decode(Cursor.self, from: data)
    guard read == cursor else { throw LostCursor() }
    return data
  }

  /// Returns the kind of the value that was read, or of the typed error.
  private static func kind<Value>(_ read: () throws -> Value) throws -> String {
    do {
      return withoutDigits("\(try read())")
    } catch let error as SyncError {
      // What the server sent may be named here.
      if case .organisationUnclear(let names) = error { return "unclear \(min(names.count, 2))" }
      return withoutDigits("\(error)")
    } catch is CursorExpired {
      return "expired"
    }
  }
}
