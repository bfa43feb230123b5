/// A requirement that every provider has to meet.
public enum ConformanceCheck: String, Sendable, CaseIterable, CustomStringConvertible {
  /// The provider has a valid name and valid addresses, and can sync each resource that it lists.
  case traits
  /// The first run fetches every record exactly, and asks no other server.
  case firstRun = "first-run"
  /// A second run changes nothing and needs few requests.
  case secondRun = "second-run"
  /// Added, edited, voided and deleted records arrive.
  case changes
  /// Runs that stop after any page reach the same result.
  case interruption
  /// A rate limit at any request ends the run, which reports when to return.
  case rateLimit = "rate-limit"
  /// A server error is retried; one that persists loses nothing.
  case serverErrors = "server-errors"
  /// Rejected credentials are renewed once; if they are rejected again, the run fails.
  case credentials
  /// A cursor that the server has forgotten makes the run read the list from the start.
  case expiredCursor = "expired-cursor"
  /// A truncated, empty or unrelated response stores nothing wrong.
  case brokenAnswers = "broken-answers"
  /// An unreadable row is reported by every run, and does not affect other rows.
  case unreadableRows = "unreadable-rows"
  /// A deeply nested value costs at most its own row.
  case deepNests = "deep-nests"
  /// An amount is stored to its last digit.
  case exactMoney = "exact-money"
  /// Rows that move between pages are neither lost nor duplicated.
  case movingRows = "moving-rows"
  /// A dry run reports what would change, and stores nothing.
  case dryRun = "dry-run"
  /// A list that lacks too many records deletes nothing, unless that is allowed.
  case massDeletion = "mass-deletion"
  /// A deleted row that the server lists again is no longer marked as deleted.
  case returningRows = "returning-rows"
  /// The records of all other lists arrive, such as credit notes, payments and contacts.
  case otherLists = "other-lists"
  /// The files of invoices arrive, each once.
  case documents
  /// A comparison with the server corrects what was altered in the database.
  case verification
  /// An account does not mix the records of two organisations.
  case organisations
  /// The organisation of a new sign-in is checked once; a sign-in to another one is refused.
  case signIns = "sign-ins"
  /// A cancelled run ends immediately, and the next one continues.
  case cancellation

  /// The requirement as a sentence.
  public var description: String {
    switch self {
    case .traits: "the provider has a valid name, valid addresses and the lists that it declares"
    case .firstRun:
      "the first run stores every record exactly, and sends requests to no other server"
    case .secondRun: "a second run changes nothing and costs few requests"
    case .changes: "the next run stores added, edited, voided and deleted records"
    case .interruption:
      "runs that stop after any page reach the same result, whatever is edited meanwhile"
    case .rateLimit:
      "a rate limit at any request ends the run with the time to retry, and loses nothing"
    case .serverErrors: "a server error is retried; a persistent one loses nothing"
    case .credentials: "rejected credentials are renewed once, then the run fails"
    case .expiredCursor: "a cursor that the server no longer knows restarts the list"
    case .brokenAnswers:
      "a truncated response or one that is not data ends the run and stores nothing wrong"
    case .unreadableRows:
      "an unreadable row is reported and read again, and does not affect other rows"
    case .deepNests: "a deeply nested value fails at most its own row, and none if it is not used"
    case .exactMoney: "an amount is stored to its last digit"
    case .movingRows: "rows that move between pages are neither lost nor stored twice"
    case .dryRun: "a dry run reports what would change, and stores nothing"
    case .massDeletion:
      "a list that lacks too many records deletes nothing, unless the run allows it"
    case .returningRows: "a deleted row that returns is restored"
    case .otherLists:
      "the records of every other list and their changes are stored, whichever page a run stops after"
    case .documents: "every file that the provider gives of an invoice is fetched, once"
    case .verification: "a comparison finds and corrects records that were altered in the database"
    case .organisations: "an account does not mix the records of two organisations"
    case .signIns: "a new sign-in's organisation is checked once; another organisation is refused"
    case .cancellation: "a cancelled run ends immediately, and the next one continues"
    }
  }
}

/// A requirement that a provider does not meet.
public struct ConformanceFinding: Sendable, Hashable, CustomStringConvertible {
  /// The check of the requirement.
  public let check: ConformanceCheck
  /// The behaviour that was observed instead.
  public let problem: String

  /// The check and the problem in one line.
  public var description: String { "\(check.rawValue): \(problem)" }
}
