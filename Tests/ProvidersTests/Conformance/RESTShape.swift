import Models
import ProviderConformance
import Providers
import Sync
import Testing

/// The paging and the change reports of a described list.
struct RESTShape: Sendable, CustomTestStringConvertible {
  /// The way in which a list reports changes.
  enum Changes: String, Sendable {
    /// Not at all: everything is read each time.
    case sweep
    /// It lists what has changed since an instant, the latest first.
    case unordered
    /// It lists what has changed since an instant, the earliest first.
    case ordered
    /// It lists identifiers with versions.
    case versions
    /// It lists what has changed since an instant that a header field names.
    case conditional
    /// It lists what has changed since an instant, and elsewhere what was deleted since.
    case deletions
    /// It lists the changes since an instant, and sends the whole records individually.
    case detailed
    /// It lists everything, and sends the whole records individually.
    case detailedSweep
  }

  let paging: RESTPaging.Style
  let changes: Changes

  var testDescription: String { "\(paging.rawValue), \(changes.rawValue)" }

  /// Each style of paging, with each way to report changes that makes a difference there.
  static let all: [RESTShape] =
    RESTPaging.Style.allCases.map { RESTShape(paging: $0, changes: .sweep) }
    + [.offset, .next, .link].map { RESTShape(paging: $0, changes: .unordered) }
    + [.page, .offset, .token].map { RESTShape(paging: $0, changes: .ordered) }
    + [
      RESTShape(paging: .none, changes: .versions), RESTShape(paging: .next, changes: .conditional),
      RESTShape(paging: .page, changes: .deletions), RESTShape(paging: .token, changes: .detailed),
      RESTShape(paging: .token, changes: .detailedSweep),
    ]

  /// True if rows of the list are not the whole records.
  var hasDetail: Bool { [.detailed, .detailedSweep].contains(changes) }

  /// The checks that apply: a list of a single page cannot be interrupted, nor can its rows move.
  var checks: [ConformanceCheck] {
    ConformanceCheck.allCases.filter { check in
      paging != .none || changes == .versions || ![.interruption, .movingRows].contains(check)
    }
  }

  func invoices() throws -> RESTResource {
    changes == .versions ? try RESTFixture.versions() : try described(.invoices)
  }

  /// The same list, taken for one of contacts.
  func contacts() throws -> RESTResource {
    var resource = try described(.contacts)
    resource.fields.fields = [
      "id": RESTField(.path(try RESTFixture.path("id"))),
      "name": RESTField(.path(try RESTFixture.path("total"))),
      "status": RESTField(.constant("active")),
      "updatedAt": RESTField(.path(try RESTFixture.path("updated_at"))),
    ]
    return resource
  }

  private func described(_ kind: Resource) throws -> RESTResource {
    switch changes {
    case .conditional: return try RESTFixture.conditional(paging, kind: kind)
    case .deletions: return try RESTFixture.deletions(paging, isOrdered: true, kind: kind)
    case .detailed: return try RESTFixture.detailed(paging, watermark, kind: kind)
    case .detailedSweep: return try RESTFixture.detailed(paging, .sweep, kind: kind)
    case .sweep, .versions, .unordered, .ordered: break
    }
    var resource = try RESTFixture.resource(
      RESTFixture.paging(paging),
      [.unordered, .ordered].contains(changes) ? watermark : .sweep, kind: kind)
    switch paging {
    // In an order in which rows stay where they are.
    case .cursor, .token: resource.query = ["keyset": ["1"]]
    // The server's list is one page only if all of it is requested.
    case .none: resource.query = ["all": ["1"]]
    case .page, .offset, .next, .link: break
    }
    return resource
  }

  private var watermark: RESTChanges {
    var watermark = RESTWatermark(parameter: "since")
    if changes != .unordered { watermark.order = ["sort": "updated"] }
    watermark.overlap = .zero
    return .watermark(watermark)
  }
}
