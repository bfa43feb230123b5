import Models
import Sync

/// A cursor in the lists of a QuickBooks company.
package struct QuickBooksCursor: FeedCursor {
  /// The response that is read.
  enum Step: Codable, Equatable {
    /// One of the lists, in the order of change.
    case list(QuickBooksKind)
    /// The changes and deletions of all lists.
    case changes

    /// The first of the lists that are read.
    static func first(of kinds: [QuickBooksKind]) -> Step {
      kinds.first.map(Step.list) ?? .changes
    }
  }

  /// The company: `realmId` in the URL to which the browser returns after a sign-in.
  let realmID: String
  /// The currency of documents that name none.
  let homeCurrency: String?
  /// True if changes are read after the lists.
  ///
  /// An uninterrupted pass through everything leaves them to the next run.
  var readsChanges = false
  var step: Step
  /// Time of the newest change that was read, by kind; only changes at or after it are requested.
  ///
  /// A kind without one is read in full, which includes a kind that an earlier version did not
  /// read.
  var newest: [String: Timestamp] = [:]
  /// Instant at which the last reading of changes began, by kind; a later one begins no earlier.
  ///
  /// Otherwise each interrupted run would begin earlier by the overlap. It is absent in cursors of
  /// an earlier version.
  var floor: [String: Timestamp]?
  /// Position of the first row to read among these changes, from 1.
  var position = 1
  /// True if this pass used positions anywhere.
  var usedPositions = false
  /// True if everything is being read for the second time, because positions may have missed a row.
  var isSecondReading = false
  /// Instant before which all deletions are known, and all changes of ``readKinds``.
  var changesKnownUntil: Timestamp
  /// The kinds whose lists were read to their end, so that later runs need only their changes;
  /// `nil` before, and in cursors of an earlier version.
  var readKinds: [QuickBooksKind]?

  init(
    realmID: String, homeCurrency: String?, changesKnownUntil: Timestamp,
    kinds: [QuickBooksKind] = QuickBooksInvoices.kinds
  ) {
    self.realmID = realmID
    self.homeCurrency = homeCurrency
    self.changesKnownUntil = changesKnownUntil
    step = .first(of: kinds)
  }

  /// True if nothing was read yet.
  func isFirst(of kinds: [QuickBooksKind]) -> Bool {
    step == .first(of: kinds) && newest.isEmpty && position == 1
  }

  /// Seconds before the start of a run that are read again: a change that began earlier may be
  /// stored later.
  static let overlap: Int64 = 60

  /// Returns the cursor from which a later run reads changes: in the lists, unless all were read.
  func changes(of kinds: [QuickBooksKind]) -> QuickBooksCursor {
    var cursor = self
    guard readKinds != kinds else {
      cursor.step = .changes
      return cursor
    }
    cursor.readsChanges = true
    cursor.step = .first(of: kinds)
    cursor.position = 1
    cursor.usedPositions = false
    cursor.isSecondReading = false
    let begin = newest.mapValues { $0.adding(seconds: -Self.overlap) }
    cursor.newest = begin.merging(floor ?? [:]) { max($0, $1) }
    cursor.floor = cursor.newest
    return cursor
  }

  var continued: QuickBooksCursor {
    var cursor = self
    cursor.readsChanges = true
    return cursor
  }

  /// Requires that QuickBooks still keeps the changes that are to be read.
  ///
  /// - Parameter now: the server's time.
  /// - Throws: ``CursorExpired`` if it may not.
  func requireThatChangesAreKept(at now: Timestamp?) throws {
    // QuickBooks keeps changes for 30 days; a day less allows for time zones and slow runs.
    guard let now, changesKnownUntil < now.adding(seconds: -29 * 86_400) else { return }
    throw CursorExpired()
  }

  /// Returns the cursor of the changes at or after an instant, without the deletions.
  func since(_ instant: Timestamp, of kinds: [QuickBooksKind]) -> QuickBooksCursor {
    var cursor = self
    cursor.newest = Dictionary(uniqueKeysWithValues: kinds.map { ($0.rawValue, instant) })
    return cursor
  }

  /// Returns the cursor to resume from after an interruption.
  func resumption(of kind: QuickBooksKind, newest latest: Timestamp?) -> QuickBooksCursor {
    var cursor = self
    cursor.position = 1
    cursor.newest[kind.rawValue] = [newest[kind.rawValue], latest].compactMap(\.self).max()
    return cursor
  }

  /// Returns the cursor after a page; `nil` at the end of everything.
  func next(
    of kind: QuickBooksKind, among kinds: [QuickBooksKind], after rows: Int, of pageSize: Int,
    resume: QuickBooksCursor
  ) -> QuickBooksCursor? {
    var next = resume
    if rows < pageSize {
      if let following = kinds.drop(while: { $0 != kind }).dropFirst().first {
        next.step = .list(following)
      } else {
        guard readsChanges else { return nil }
        next.step = .changes
      }
    } else if resume.newest[kind.rawValue] == newest[kind.rawValue] {
      // The watermark has not moved: rows of one instant fill the page. Only positions lead out of
      // that instant.
      next.position = position + rows
      next.usedPositions = true
    }
    return next
  }
}

/// A kind of object; each kind has a list of its own.
package enum QuickBooksKind: String, Codable, Sendable, CaseIterable {
  case invoice = "Invoice"
  case creditMemo = "CreditMemo"
  case bill = "Bill"
  case vendorCredit = "VendorCredit"
  case customer = "Customer"
  case vendor = "Vendor"
  case payment = "Payment"
  case billPayment = "BillPayment"

  /// The condition without which a query leaves out objects of the kind.
  var condition: String? {
    switch self {
    case .invoice, .creditMemo, .bill, .vendorCredit, .payment, .billPayment: nil
    // Inactive ones stay in their list, and documents still name them.
    case .customer, .vendor: "Active in (true, false)"
    }
  }

  /// Returns the identifier within the account.
  ///
  /// QuickBooks guarantees that an `Id` is unique only among objects of one kind.
  func identifier(_ id: String) -> String {
    switch self {
    case .invoice, .customer, .payment: id
    case .creditMemo: "creditmemo/" + id
    case .bill: "bill/" + id
    case .vendorCredit: "vendorcredit/" + id
    case .vendor: "vendor/" + id
    case .billPayment: "billpayment/" + id
    }
  }
}
