/// One thing that every provider has to hold.
public enum ConformanceCheck: String, Sendable, CaseIterable, CustomStringConvertible {
  /// The provider can be named, signed in to, and asked for what it says it lists.
  case traits
  /// The first run brings everything, exactly, and asks no other server.
  case firstRun = "first-run"
  /// A second run changes nothing and costs few requests.
  case secondRun = "second-run"
  /// What is added, edited, voided and deleted arrives.
  case changes
  /// Runs that end after any page come to the same end.
  case interruption
  /// A limit that is met anywhere ends the run with when to return.
  case rateLimit = "rate-limit"
  /// An error of the server's is tried again; one that stays loses nothing.
  case serverErrors = "server-errors"
  /// Credentials that are refused are renewed once, then given up.
  case credentials
  /// A cursor that the server has forgotten begins the list anew.
  case expiredCursor = "expired-cursor"
  /// An answer that is cut or no data stores nothing wrong.
  case brokenAnswers = "broken-answers"
  /// A row that cannot be read is told, met again, and keeps no other.
  case unreadableRows = "unreadable-rows"
  /// A value that is nested without end costs its own row at most.
  case deepNests = "deep-nests"
  /// An amount is stored to its last digit.
  case exactMoney = "exact-money"
  /// Rows that move between pages are neither lost nor doubled.
  case movingRows = "moving-rows"
  /// A dry run tells what would change, and stores nothing.
  case dryRun = "dry-run"
  /// A list that lacks too much deletes nothing, unless that is allowed.
  case massDeletion = "mass-deletion"
  /// A row that was deleted and returns is there again.
  case returningRows = "returning-rows"
  /// Contacts arrive, as far as the provider lists them.
  case contacts
  /// A comparison puts right what was altered in the database.
  case verification
  /// An account does not mix the records of two organisations.
  case organisations
  /// A new sign-in is proved once, and another organisation's is refused.
  case signIns = "sign-ins"
  /// A run that is cancelled ends at once, and the next one goes on.
  case cancellation

  /// What has to be so, as a sentence.
  public var description: String {
    switch self {
    case .traits: "the provider can be named, signed in to, and asked for what it says it lists"
    case .firstRun: "the first run brings everything, exactly, and asks no other server"
    case .secondRun: "a second run changes nothing and costs few requests"
    case .changes: "what is added, edited, voided and deleted arrives"
    case .interruption: "runs that end after any page come to the same end, whatever is edited"
    case .rateLimit: "a limit that is met anywhere ends the run with when to return, and no loss"
    case .serverErrors: "an error of the server's is tried again; one that stays loses nothing"
    case .credentials: "credentials that are refused are renewed once, then given up"
    case .expiredCursor: "a cursor that the server has forgotten begins the list anew"
    case .brokenAnswers: "an answer that is cut or no data ends the run and stores nothing wrong"
    case .unreadableRows: "a row that cannot be read is told, met again, and keeps no other"
    case .deepNests: "a value of any depth costs nothing where nobody reads it, else its own row"
    case .exactMoney: "an amount is stored to its last digit"
    case .movingRows: "rows that move between pages are neither lost nor doubled"
    case .dryRun: "a dry run tells what would change, and stores nothing"
    case .massDeletion: "a list that lacks too much deletes nothing, unless that is allowed"
    case .returningRows: "a row that was deleted and returns is there again"
    case .contacts: "contacts arrive, and so do their changes, whatever a run ends after"
    case .verification: "a comparison finds and puts right what was altered in the database"
    case .organisations: "an account does not mix the records of two organisations"
    case .signIns: "a new sign-in is proved once, and another organisation's is refused"
    case .cancellation: "a run that is cancelled ends at once, and the next one goes on"
    }
  }
}

/// Something that a provider does not hold.
public struct ConformanceFinding: Sendable, Hashable, CustomStringConvertible {
  /// What it should hold.
  public let check: ConformanceCheck
  /// What was seen instead.
  public let problem: String

  /// Both in one line.
  public var description: String { "\(check.rawValue): \(problem)" }
}
