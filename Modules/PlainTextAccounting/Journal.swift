import Dispatch
public import Models
public import Storage
import Synchronization

/// A file for plain-text accounting: the documents that are stored, and what has settled them, as
/// transactions of hledger, ledger or beancount.
///
/// The user's own journal includes it. It is written whole each time, and the same records make the
/// same bytes: a record that changes, changes its own transactions. Transactions come by day.
///
/// The receivable or payable of each document ends at its amount due, as the sums of
/// `LocalDatabase.totals(matching:by:)` have it. Amounts that the provider does not explain go to
/// ``JournalAccounts/Role/unexplained``. Drafts, scheduled, void and deleted documents, and those
/// of an unknown status, are left out.
public struct Journal: Sendable {
  /// The programs that read journals.
  public enum Format: String, Sendable, CaseIterable {
    /// hledger 1.25 or later.
    case hledger
    /// ledger 3.3 or later.
    case ledger
    /// beancount 2.3 or later.
    case beancount
  }

  /// The numbers of a journal's contents.
  public struct Counts: Sendable, Equatable {
    /// The number of documents.
    public internal(set) var documents = 0
    /// The number of transactions.
    public internal(set) var transactions = 0
    /// The number of documents with an amount that the provider does not explain.
    public internal(set) var unexplained = 0
    /// The number of documents without lines that have amounts.
    public internal(set) var withoutLines = 0

    /// Creates the numbers of an empty journal.
    public init() {}
  }

  /// The program.
  public var format: Format
  /// The accounts.
  public var accounts: JournalAccounts
  /// True to tag each transaction with its account of appcore.
  public var namesAccounts = false
  /// True for a posting for each line of a document, with its text.
  public var includesLineTexts = false

  /// Creates a journal.
  public init(_ format: Format, accounts: JournalAccounts = JournalAccounts()) {
    (self.format, self.accounts) = (format, accounts)
  }

  /// Returns true if documents of a status are claims, which a journal holds.
  public static func holds(_ status: InvoiceStatus) -> Bool {
    switch status {
    case .draft, .scheduled, .void, .deleted, .unknown: false
    case .open, .partiallyPaid, .paid, .refunded, .writtenOff: true
    }
  }

  /// Writes the documents that a query finds, each with its payments, as of one moment.
  ///
  /// It takes the same memory however many there are, besides the names of accounts and payees.
  ///
  /// - Parameters:
  ///   - query: selects the documents; its order is ignored.
  ///   - database: the database.
  ///   - body: receives the text piece by piece, in UTF-8. It runs on a thread that it may block;
  ///     an error that it throws ends the writing.
  /// - Returns: the numbers of what was written.
  /// - Throws: `StorageError`, and what `body` throws.
  @discardableResult
  public func write(
    _ query: InvoiceQuery, of database: LocalDatabase,
    to body: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> Counts {
    var issued = query
    (issued.issuedOnly, issued.includesLines) = (true, true)
    (issued.sort, issued.isAscending) = (.stored, true)
    return try await database.sortTexts(ofInvoicesMatching: issued) { forEachInvoice, texts in
      let lane = PrintingLane(self)
      var batch: [StoredInvoice] = []
      func printBatch() throws {
        let printed = lane.exchange(for: batch)
        batch.removeAll(keepingCapacity: true)
        try printed.add(to: texts)
      }
      try forEachInvoice { stored in
        batch.append(stored)
        if batch.count == PrintingLane.batch { try printBatch() }
      }
      try printBatch()
      // Nothing more to print: this takes what the last batch became.
      try printBatch()
      let (printer, counts) = lane.result
      try body(printer.header)
      try texts.forEach(body)
      return counts
    }
  }

  /// Returns the account of a role, as this journal writes it, for a message.
  public func name(of role: JournalAccounts.Role) -> String {
    let parts = (accounts.templates[role]?.text ?? role.rawValue).split(separator: ":")
    return parts.map { format == .beancount ? JournalText.beancountPart(String($0)) : String($0) }
      .joined(separator: ":")
  }
}

/// A thread that prints documents while the caller's reads the next ones from the database.
private final class PrintingLane: Sendable {
  /// The number of documents that are handed over at once.
  static let batch = 128

  /// The transactions of documents as texts, one after another.
  struct Printed {
    private struct Part {
      let document: Int
      let day: CalendarDate
      let position: Int
      let range: Range<Int>
    }

    private var documents: [StoredInvoice] = []
    private var text: [UInt8] = []
    private var parts: [Part] = []

    /// Adds each transaction to the texts that are sorted.
    func add(to texts: SortedTexts) throws {
      for part in parts {
        try texts.add(
          text[part.range], on: part.day, position: part.position, of: documents[part.document])
      }
    }

    /// Prints a document, which is the next one.
    fileprivate mutating func append(
      _ transactions: [Transaction], of stored: StoredInvoice, with printer: inout JournalPrinter
    ) {
      for (position, transaction) in transactions.enumerated() {
        let start = text.count
        printer.append(transaction, of: stored, to: &text)
        parts.append(
          Part(
            document: documents.count, day: transaction.day, position: position,
            range: start..<text.count))
      }
      documents.append(stored)
    }
  }

  private struct State {
    var printer: JournalPrinter
    var counts = Journal.Counts()
    var printed = Printed()
  }

  private let includesLineTexts: Bool
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "appcore.journal")

  init(_ journal: Journal) {
    includesLineTexts = journal.includesLineTexts
    state = Mutex(State(printer: JournalPrinter(journal)))
  }

  /// Begins to print documents, and returns what those of the last call became.
  func exchange(for documents: [StoredInvoice]) -> Printed {
    let printed = queue.sync {
      state.withLock { state in
        let printed = state.printed
        state.printed = Printed()
        return printed
      }
    }
    queue.async { [self] in
      state.withLock { state in
        for stored in documents {
          let transactions = DocumentTransactions.of(stored, withTexts: includesLineTexts)
          state.printed.append(transactions, of: stored, with: &state.printer)
          state.counts.add(transactions, of: stored.invoice)
        }
      }
    }
    return printed
  }

  /// The printer, which knows the names that it used, and the numbers of what it printed.
  var result: (printer: JournalPrinter, counts: Journal.Counts) {
    queue.sync { state.withLock { ($0.printer, $0.counts) } }
  }
}

extension Journal.Counts {
  fileprivate mutating func add(_ found: [Transaction], of invoice: Invoice) {
    guard !found.isEmpty else { return }
    documents += 1
    withoutLines += invoice.hasChargedLines ? 0 : 1
    transactions += found.count
    let isUnexplained = found.contains { transaction in
      transaction.postings.contains { $0.place.role == .unexplained }
    }
    unexplained += isUnexplained ? 1 : 0
  }
}
