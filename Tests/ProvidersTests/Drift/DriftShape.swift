import Foundation
import Sync
import SyncSupport

/// The paging and the change reports of a server's list.
struct DriftShape: Sendable, CustomStringConvertible {
  /// The way in which a client asks for the next page.
  enum Paging: String, Sendable, CaseIterable {
    /// By the number of the page.
    case number
    /// By how many rows to leave out.
    case offset
    /// By the last row's cursor in the order.
    case cursor
    /// By a link in the page, which leaves rows out.
    case nextLink
    /// By a link in the header `Link`, which counts pages.
    case linkHeader
    /// By a token for the list as it was at the request for the first page; it can expire.
    case token
  }

  let paging: Paging
  let changes: ListModel
  let deletion: ChangingList.Deletion
  /// True if changes are read in the order of change, from the last instant seen to the next;
  /// otherwise they are read in the order of creation, as they were when the first page was
  /// requested.
  let isInOrderOfChange: Bool

  /// - Parameter isInOrderOfChange: `nil` takes the order in which such a list is read best.
  init(
    paging: Paging, changes: ListModel, deletion: ChangingList.Deletion,
    isInOrderOfChange: Bool? = nil
  ) {
    self.paging = paging
    self.changes = changes
    self.deletion = deletion
    self.isInOrderOfChange =
      isInOrderOfChange ?? (changes == .watermark && [.number, .offset, .cursor].contains(paging))
  }

  var description: String { "\(paging.rawValue), \(changes), \(deletion)" }

  /// The promise that `DriftFeed` keeps.
  var promise: DriftPromise {
    // Where everything is listed each time, a plain run reads all of it, whatever was interrupted
    // before.
    guard changes == .watermark else { return .anyRun }
    // What was removed is not listed among the changes, and what has moved while everything was
    // read is missed: only a pass from the start proves what is there.
    guard deletion == .marks else { return .wholeRun }
    // The first of them may have to end a pass that began before the last change.
    return .plainRuns(isInOrderOfChange && paging != .cursor ? 1 : 2)
  }

  /// True if rows can move from one page to another while the whole list is read.
  var canMove: Bool { !isInOrderOfChange && ![.cursor, .token].contains(paging) }

  /// Every way of paging with every way of reporting changes.
  ///
  /// A list of changes never reports a removed row; a list of everything reports deletions only so.
  static let all: [DriftShape] = every.filter { shape in
    ProcessInfo.processInfo.environment["APPCORE_SHAPE"].map { $0 == shape.description } ?? true
  }

  private static let every: [DriftShape] = Paging.allCases.flatMap { paging in
    [
      DriftShape(paging: paging, changes: .watermark, deletion: .marks),
      DriftShape(paging: paging, changes: .watermark, deletion: .removes),
      DriftShape(paging: paging, changes: .sweep, deletion: .removes),
      DriftShape(paging: paging, changes: .versions, deletion: .removes),
    ]
  }
}
