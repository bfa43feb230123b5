import Foundation
import Models
import Networking
import Storage

/// Reads one page of a list, to show what it holds.
struct SampleReader<Feed: ResourceFeed> {
  let feed: Feed
  let session: Session
  let clock: SyncClock

  func sample(of resource: String) async throws -> ResourceSample {
    // Somebody looks on; a limit that is spent for the day is told, not waited for.
    try await Session.waiting(atMost: SyncOptions().maximumWait) {
      try await clock.tellingLimit { try await read(resource) }
    }
  }

  private func read(_ resource: String) async throws -> ResourceSample {
    var sample = ResourceSample(resource: resource)
    let place = try await feed.begin(.everything(known: nil), over: session)
    var response = try await answer(to: feed.request(at: place))
    var page = try feed.page(response, at: place)
    if !page.unfinished.isEmpty {
      page = try await feed.completing(page, at: place) { try await answer(to: $0) }
    }
    sample.hasMore = page.next != nil
    sample.count = try feed.count(response)
    if !page.versions.isEmpty {
      let ids = page.versions.prefix(feed.batch).map(\.id)
      sample.failures = page.failures
      response = try await answer(to: feed.request(for: Array(ids), at: place))
      page = try feed.records(response, at: place)
    }
    sample.failures += page.failures
    sample.rows = page.records.count + page.removals.count + page.failures.count
    if let feed = feed as? any FieldExplaining {
      sample.fields = try feed.readings(of: response.body)
    } else if let first = page.records.first {
      sample.fields = Self.fields(of: first)
    }
    return sample
  }

  private func answer(to request: Request) async throws -> Response {
    try await session.send(request).checked(at: clock.now(), for: feed)
  }

  /// The values of a record, by the names of its properties.
  private static func fields(of value: Any, within prefix: String = "") -> [FieldReading] {
    Mirror(reflecting: value).children.flatMap { child -> [FieldReading] in
      guard let label = child.label else { return [] }
      let name = prefix + label
      let found = unwrapped(child.value)
      switch found {
      case nil: return [FieldReading(field: name)]
      case let elements as [Any]:
        let list = FieldReading(field: name, value: "\(elements.count)")
        return [list] + (elements.first.map { fields(of: $0, within: name + "[0].") } ?? [])
      case let word as any RawRepresentable<String>:
        return [FieldReading(field: name, value: word.rawValue)]
      case let party as Party: return fields(of: party, within: name + ".")
      case .some(let value): return [FieldReading(field: name, value: "\(value)")]
      }
    }
  }

  private static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first?.value
  }
}
