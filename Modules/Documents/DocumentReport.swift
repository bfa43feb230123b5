public import ErrorCodes
public import Models
public import Storage

/// The choice of the files that are fetched again.
public enum DocumentRefresh: String, Sendable, CaseIterable {
  /// A file is fetched again if its invoice has changed; the older version stays.
  case changed
  /// A file that is stored is never fetched again.
  case never
  /// Every file is fetched again.
  case all
}

/// The options of one run that fetches files.
public struct DocumentSyncOptions: Sendable {
  /// The kinds of files; `nil` takes the PDF and the attachments, as far as the provider has them.
  public var kinds: Set<DocumentKind>?
  /// The invoices; the newest are fetched first, whatever its order.
  public var invoices = InvoiceQuery()
  /// The invoices by their keys, instead of those that ``invoices`` finds; `nil` for the latter.
  public var keys: [InvoiceKey]?
  /// The objects whose files are fetched again, and no others; `nil` for all that is missing.
  package var objects: Set<String>?
  /// The files to fetch again.
  public var refresh = DocumentRefresh.changed
  /// The largest number of files that are fetched; `nil` for all.
  public var limit: Int?
  /// The time after which no further file is begun; `nil` for none.
  public var maximumDuration: Duration?
  /// The longest single wait for a server or a published limit; `nil` for the session's.
  ///
  /// No wait is longer than what is left of ``maximumDuration`` when its file begins.
  public var maximumWait: Duration?
  /// True to send nothing, and to report what would be fetched as far as the database knows.
  public var isDryRun = false

  /// Creates options for everything that is missing or has changed.
  public init() {}
}

/// The progress of a run that fetches files.
public struct DocumentProgress: Sendable, Equatable {
  /// The number of invoices that were looked at, and of all.
  public var invoices: (done: Int, of: Int) { (invoicesDone, invoicesInAll) }
  /// The number of files that were stored.
  public var stored = 0
  /// The number of files that could not be fetched.
  public var failed = 0
  /// The number of bytes that were received.
  public var bytes = 0
  var invoicesDone = 0
  var invoicesInAll = 0
}

/// The report of one run that fetched files.
public struct DocumentReport: Sendable {
  /// The reasons why a run ends before every wanted file is there.
  public enum Ending: String, Sendable, CaseIterable {
    /// The server, or its published limit, asked to retry later.
    case rateLimit = "rate-limit"
    /// The run took ``DocumentSyncOptions/maximumDuration``.
    case duration
    /// The run fetched ``DocumentSyncOptions/limit`` files.
    case limit
    /// The login may read none of the kinds; see ``DocumentReport/denied``.
    case denied
    /// The server failed for several files in a row.
    case unavailable
  }

  /// A kind of file that the login may not read.
  public struct DeniedKind: Sendable {
    /// The kind.
    public let kind: DocumentKind
    /// The permission that the login lacks, in the provider's word; `nil` if it is not known.
    public let scope: String?
  }

  /// A file that could not be fetched.
  public struct FailedFile: Sendable {
    /// The identifier of the invoice.
    public let invoiceID: String
    /// The number of the invoice.
    public let number: String?
    /// The kind of the file.
    public let kind: DocumentKind
    /// The provider's name of an attachment.
    public let name: String?
    /// The code of the error.
    public let code: ErrorCode
    /// A sentence that says what happened; it repeats nothing that the server sent.
    public let message: String
  }

  /// The account.
  public let account: String
  /// The provider's name.
  public let provider: String
  /// True if nothing was sent or stored.
  public internal(set) var isDryRun = false
  /// The number of files that were fetched and stored; of a dry run, that would be fetched.
  public internal(set) var stored = 0
  /// The number of files that are stored and were not fetched again.
  public internal(set) var unchanged = 0
  /// The number of files that the provider has no longer.
  public internal(set) var gone = 0
  /// The number of files that the provider does not have, such as the PDF of a draft.
  public internal(set) var unsupported = 0
  /// The number of files that could not be fetched.
  public internal(set) var failed = 0
  /// The first of them, at most ``failuresLimit``.
  public internal(set) var failures: [FailedFile] = []
  /// The number of bytes of the files that were stored.
  public internal(set) var bytes = 0
  /// The number of requests, with repetitions and redirects.
  public internal(set) var requests = 0
  /// The reason why files are missing; `nil` if every wanted one is there or has failed by itself.
  public internal(set) var ending: Ending?
  /// The error of the first kind of file that the login may not read.
  public internal(set) var denial: DocumentError?
  /// The kinds of files that the login may not read.
  public internal(set) var denied: [DeniedKind] = []
  /// The error of the server that failed for several files in a row.
  public internal(set) var outage: (any Error)?
  /// The error of the list of all attachments, without which none of them could be fetched.
  ///
  /// The list is no file: ``failed`` does not count it.
  public internal(set) var listFailure: (any CodedError)?
  /// The error of the first file that could not be placed in the folder for people.
  public package(set) var folderFailure: DocumentError?
  /// The time at which to run again.
  public internal(set) var retryAt: Timestamp?
  /// The time that the run took.
  public internal(set) var duration: Duration = .zero

  /// One of the counts of files.
  typealias Count = any WritableKeyPath<DocumentReport, Int> & Sendable

  /// The largest number of failures that a report lists.
  public static let failuresLimit = 100

  init(account: String, provider: String) {
    (self.account, self.provider) = (account, provider)
  }

  /// True if every wanted file is there, or the provider does not have it.
  public var isComplete: Bool {
    ending == nil && denial == nil && listFailure == nil && failed == 0
  }

  /// The code of what the run ended with; `nil` if it is complete.
  public var code: ErrorCode? {
    switch ending {
    case .denied: denial?.code ?? .accessDenied
    case .rateLimit: .rateLimited
    case .unavailable: failures.last?.code ?? .serverUnavailable
    case .duration, .limit: failures.first?.code ?? .budgetSpent
    case nil: denial?.code ?? listFailure?.code ?? failures.first?.code ?? folderFailure?.code
    }
  }
}
