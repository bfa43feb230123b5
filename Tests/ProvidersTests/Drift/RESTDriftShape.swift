import Foundation
import Models
import Providers
import Sync
import SyncSupport

/// The description of a list that users edit.
struct RESTDriftShape: Sendable, CustomStringConvertible {
  /// The way in which the list reports changes.
  enum Changes: String, Sendable {
    /// Not at all: everything is read each time.
    case sweep
    /// It lists what has changed since an instant, in the order of making.
    case unordered
    /// It lists what has changed since an instant, the earliest change first.
    case ordered
    /// It lists identifiers with versions.
    case versions
  }

  let style: RESTPaging.Style
  let changes: Changes
  let deletion: ChangingList.Deletion

  var description: String { "rest \(style.rawValue), \(changes.rawValue), \(deletion)" }

  /// Every style of paging with every way of reporting changes.
  static let all: [RESTDriftShape] = every.filter { shape in
    ProcessInfo.processInfo.environment["APPCORE_SHAPE"].map { $0 == shape.description } ?? true
  }

  private static let every: [RESTDriftShape] = RESTPaging.Style.allCases.flatMap { style in
    [
      RESTDriftShape(style: style, changes: .sweep, deletion: .removes),
      RESTDriftShape(style: style, changes: .unordered, deletion: .marks),
      RESTDriftShape(style: style, changes: .unordered, deletion: .removes),
      RESTDriftShape(style: style, changes: .ordered, deletion: .marks),
      RESTDriftShape(style: style, changes: .ordered, deletion: .removes),
      RESTDriftShape(style: style, changes: .versions, deletion: .removes),
    ]
  }

  /// The shape of the server's list that this description fits.
  var list: DriftShape {
    let paging: DriftShape.Paging =
      switch style {
      case .none, .page: .number
      case .offset: .offset
      case .cursor: .cursor
      case .token: .token
      case .next: .nextLink
      case .link: .linkHeader
      }
    let model: ListModel =
      switch changes {
      case .sweep: .sweep
      case .unordered, .ordered: .watermark
      case .versions: .versions
      }
    return DriftShape(
      paging: paging, changes: model, deletion: deletion, isInOrderOfChange: changes == .ordered)
  }

  /// The promise that a described list keeps.
  var promise: DriftPromise {
    switch changes {
    case .sweep, .versions: return .anyRun
    case .unordered, .ordered: break
    }
    // The first of them may have to end a pass that began before the last change.
    return deletion == .marks && !canMiss ? .plainRuns(2) : .wholeRun
  }

  /// True if both readings can miss a row that moves at the wrong moment, so that only a later
  /// reading of everything finds it.
  ///
  /// In the order of making rows move forward only where one is removed. In the order of change
  /// they do whenever one is edited: pages that have numbers are read backwards then, and those
  /// that addresses lead to forward once more, which proves less.
  private var canMiss: Bool { changes == .ordered && [.next, .link].contains(style) }

  /// The description of a list; what a provider may leave out is there for some seeds.
  func resource(
    _ list: Resource, _ random: inout SeededRandom
  ) throws -> RESTResource {
    var resource = RESTResource(list, path: "/list")
    resource.rows = try path("rows")
    resource.count = random.chance(50) ? try path("count") : nil
    resource.paging = try paging(&random)
    switch changes {
    case .sweep: break
    case .unordered, .ordered:
      var watermark = RESTWatermark(parameter: "since")
      watermark.form = .milliseconds
      watermark.overlap = .seconds(random.chance(50) ? 0 : 2)
      if changes == .ordered { watermark.order = ["sort": "changed"] }
      resource.changes = .watermark(watermark)
    case .versions:
      var versions = RESTVersions(
        path: "/list", rows: try path("versions"), id: try path("id"),
        version: try path("version"), identifiers: .parameter("ids"))
      versions.batch = 3
      resource.changes = .versions(versions)
    }
    if deletion == .marks {
      resource.deleted = RESTResource.Deleted(path: try path("deleted"), words: ["true"])
    }
    resource.forms.money = .number
    resource.forms.instant = .milliseconds
    let isOfPayments = list.kind == .payments
    resource.fields.fields = [
      "id": RESTField(.path(try path("id"))),
      "type": RESTField(.constant(isOfPayments ? "receipt" : "invoice")),
      "status": RESTField(.constant(isOfPayments ? "completed" : "open")),
      "currency": RESTField(.constant("EUR")),
      isOfPayments ? "amount" : "total": RESTField(.path(try path("total"))),
      "updatedAt": RESTField(.path(try path("changed"))),
      "version": RESTField(.path(try path("version"))),
    ]
    let part = RESTField(.path(.root))
    resource.fields.lists[isOfPayments ? "allocations" : "lines"] = RESTList(
      path: try path("lines"),
      fields: isOfPayments
        ? ["amount": part, "invoiceID": RESTField(.constant("i"))] : ["lineAmount": part])
    return resource
  }

  private func paging(_ random: inout SeededRandom) throws -> RESTPaging {
    var paging = RESTPaging(style)
    switch style {
    case .none, .link: break
    case .page:
      paging.parameter = "at"
      paging.total = random.chance(50) ? try path("pages") : nil
      paging.more = random.chance(50) ? try path("more") : nil
    case .offset:
      paging.parameter = "at"
      paging.more = random.chance(50) ? try path("more") : nil
    case .cursor:
      paging.parameter = "at"
      paging.field = try path("cursor")
      paging.more = random.chance(50) ? try path("more") : nil
    case .token:
      paging.parameter = "at"
      paging.field = try path("next")
    case .next: paging.field = try path("next")
    }
    return paging
  }

  private func path(_ text: String) throws -> RESTPath { try RESTFixture.path(text) }
}
