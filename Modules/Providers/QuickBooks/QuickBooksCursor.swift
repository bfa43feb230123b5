import Models
import Sync

/// A cursor in the lists of a company in QuickBooks.
package struct QuickBooksCursor: Codable, Sendable, Equatable {
  /// What is read.
  enum Step: Codable, Equatable {
    /// One of the lists, in the order of change.
    case list(QuickBooksKind)
    /// What was deleted.
    case deletions
  }

  /// The company, `realmId` in the address that the browser comes back with after signing in.
  let realmID: String
  /// The currency of documents that name none.
  let homeCurrency: String?
  /// Whether deletions are read behind the lists: after a pass through everything in one piece
  /// there are none.
  var readsDeletions = false
  var step = Step.list(.invoice)
  /// The newest change that was read, by kind; only what changed then or later is asked for.
  ///
  /// A kind without one is read wholly: also one that an earlier version did not read.
  var newest: [String: Timestamp] = [:]
  /// Where a reading of changes began, by kind, and a later one begins no earlier.
  ///
  /// Else every run that is interrupted would begin earlier by the overlap; absent in cursors of an
  /// earlier version.
  var floor: [String: Timestamp]?
  /// The first row to be read among those, from 1.
  var position = 1
  /// Whether this pass went by positions anywhere.
  var usedPositions = false
  /// Whether everything is read for the second time, because positions could have missed a row.
  var isSecondReading = false
  /// Deletions before this are known.
  var deletionsKnownUntil: Timestamp

  init(realmID: String, homeCurrency: String?, deletionsKnownUntil: Timestamp) {
    self.realmID = realmID
    self.homeCurrency = homeCurrency
    self.deletionsKnownUntil = deletionsKnownUntil
  }

  /// How far back is read again at the begin of a run: what was begun earlier may be stored later.
  static let overlap: Int64 = 60

  /// Where a later run begins to read what has changed.
  var changes: QuickBooksCursor {
    var cursor = self
    cursor.readsDeletions = true
    cursor.step = .list(.invoice)
    cursor.position = 1
    cursor.usedPositions = false
    cursor.isSecondReading = false
    let begin = newest.mapValues { $0.adding(seconds: -Self.overlap) }
    cursor.newest = begin.merging(floor ?? [:]) { max($0, $1) }
    cursor.floor = cursor.newest
    return cursor
  }

  /// The same for a run that goes on here.
  var continued: QuickBooksCursor {
    var cursor = self
    cursor.readsDeletions = true
    return cursor
  }

  /// What changed at an instant or later, without the deletions.
  func since(_ instant: Timestamp) -> QuickBooksCursor {
    var cursor = self
    cursor.newest = Dictionary(
      uniqueKeysWithValues: QuickBooksKind.allCases.map { ($0.rawValue, instant) })
    return cursor
  }

  /// Where reading goes on after an interruption.
  func resumption(of kind: QuickBooksKind, newest latest: Timestamp?) -> QuickBooksCursor {
    var cursor = self
    cursor.position = 1
    cursor.newest[kind.rawValue] = [newest[kind.rawValue], latest].compactMap(\.self).max()
    return cursor
  }

  /// The cursor after a page; `nil` at the end of everything.
  func next(
    of kind: QuickBooksKind, after rows: Int, of pageSize: Int, resume: QuickBooksCursor
  ) -> QuickBooksCursor? {
    var next = resume
    if rows < pageSize {
      if let kind = kind.next {
        next.step = .list(kind)
      } else {
        guard readsDeletions else { return nil }
        next.step = .deletions
      }
    } else if resume.newest[kind.rawValue] == newest[kind.rawValue] {
      // Without progress in time the instant fills the page; only positions lead out of it.
      next.position = position + rows
      next.usedPositions = true
    }
    return next
  }
}
