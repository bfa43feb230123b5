import Foundation
import Models
import Networking
import ProviderConformance
import Sync
import TestSupport

/// A described list in memory, in one of the ways that it can tell of changes.
struct PlayedREST: ProviderServer {
  enum Shape: CaseIterable {
    case sweep, unordered, ordered, versions, conditional, deletions, detailed, detailedSweep
  }

  let url: URL
  let shape: Shape
  /// The rows of the list itself.
  var totalPath: [String]? { [.detailed, .detailedSweep].contains(shape) ? nil : ["total"] }
  private let server = RESTServer(rows: 45)
  private let added = Counter()

  var link: (any Middleware)? { server }
  var tellsDeletions: Bool {
    [.sweep, .versions, .deletions, .detailedSweep].contains(shape)
  }
  var requestsWhenUnchanged: Int? {
    switch shape {
    case .sweep: nil
    // All pages of the list, and none of its records.
    case .detailedSweep: 5
    default: 2
    }
  }

  func invoices() throws -> [Invoice] {
    guard let currency = Currency(code: "EUR") else { throw CocoaError(.formatting) }
    return server.rows.map { row in
      Invoice(
        id: row.id, type: .invoice, status: .open, rawStatus: "open", currency: currency,
        updatedAt: Timestamp(microsecondsSinceEpoch: Int64(row.updated) * 1_000_000),
        total: ExactDecimal(row.total))
    }
  }

  func comparable(_ stored: Invoice) -> Invoice {
    var invoice = stored
    invoice.version = nil
    return invoice
  }

  func change(_ change: BookChange, count: Int) {
    let ids = server.rows.map(\.id).sorted()
    switch change {
    case .add:
      for _ in 0..<count {
        added.increment()
        server.insert("new\(added.value)")
      }
    // Not always the same ones.
    case .edit: for id in ids.shifted(by: server.requests.count).prefix(count) { server.edit(id) }
    case .void: break
    case .delete: for id in ids.suffix(count) { server.remove(id) }
    }
  }

  /// The provider that reads it.
  static func provider(_ shape: Shape, at url: URL) throws -> RESTProvider {
    var resource: RESTResource
    switch shape {
    case .sweep: resource = try RESTFixture.resource(RESTFixture.paging(.page), counts: true)
    case .unordered, .ordered:
      var watermark = RESTWatermark(parameter: "since")
      if shape == .ordered { watermark.order = ["sort": "updated"] }
      watermark.overlap = .zero
      resource = try RESTFixture.resource(
        RESTFixture.paging(shape == .ordered ? .token : .next), .watermark(watermark), counts: true)
      if shape == .ordered { resource.query = ["keyset": "1"] }
    case .versions:
      resource = try RESTFixture.versions()
    case .conditional: resource = try RESTFixture.conditional(.next)
    case .deletions: resource = try RESTFixture.deletions(.page, isOrdered: true)
    case .detailed:
      var watermark = RESTWatermark(parameter: "since")
      watermark.order = ["sort": "updated"]
      watermark.overlap = .zero
      resource = try RESTFixture.detailed(.token, .watermark(watermark))
    case .detailedSweep: resource = try RESTFixture.detailed(.token, .sweep)
    }
    return RESTProvider(
      name: "acme", description: try RESTDescription(baseURL: url, resources: [resource]))
  }
}

extension [String] {
  /// The same in a circle, from another one on.
  fileprivate func shifted(by count: Int) -> [String] {
    guard !isEmpty else { return [] }
    return Array(self[(count % self.count)...] + self[..<(count % self.count)])
  }
}
