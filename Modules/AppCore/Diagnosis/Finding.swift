public import Models
public import Storage
import SystemSupport

/// One result of a diagnosis.
public struct Finding: Sendable {
  /// The outcomes of a check.
  public enum Outcome: String, Sendable {
    /// The part works.
    case works = "ok"
    /// It works, and something else deserves attention.
    case warning
    /// It does not work.
    case failed
  }

  /// The last run of a sync, which failed.
  public struct FailedRun: Sendable {
    /// The resource.
    public let resource: Resource
    /// The run, whose code names the cause.
    public let record: RunRecord
  }

  /// The part that was checked, such as `login default`.
  public let name: String
  /// The outcome.
  public let outcome: Outcome
  /// The facts, in one line; of an error, a front end takes its own words.
  public let detail: String
  /// The fix as sentences and commands.
  package let hint: Hint?
  /// A command or a value that solves the problem, if it is known.
  public var fix: String? { hint?.text() }
  /// The error that the check met.
  public let error: (any Error)?
  /// The failed run that the check found, for which a front end makes the hint.
  public let run: FailedRun?
  /// The account that was checked; `nil` if the check is not about one account.
  public private(set) var account: String?

  init(
    _ name: String, _ outcome: Outcome, _ detail: String, fix hint: Hint? = nil,
    error: (any Error)? = nil, run: FailedRun? = nil
  ) {
    self.name = name
    self.outcome = outcome
    self.detail = detail
    self.hint = hint
    self.error = error
    self.run = run
  }

  /// Creates the finding of a check that works.
  init(_ name: String, _ detail: String) {
    self.init(name, .works, detail)
  }

  /// Returns the finding of a check: its facts, or the error that it throws.
  static func check(_ name: String, _ body: () async throws -> String) async -> Finding {
    do {
      return Finding(name, try await body())
    } catch {
      return Finding(name, error)
    }
  }

  /// Returns the finding of a check that has so much time; the check is then cancelled.
  static func check(
    _ name: String, within timeout: Duration,
    _ body: @escaping @Sendable () async throws -> String
  ) async -> Finding {
    do {
      if let facts = try await TimeSource.system.bounded(by: timeout, body) {
        return Finding(name, facts)
      }
      let seconds = Int(clamping: timeout / .seconds(1), rounding: .up)
      return Finding(
        name, .failed, "no answer within \(seconds) s",
        fix: "Check the network and the provider's status page, and try again.")
    } catch {
      return Finding(name, error)
    }
  }

  /// Returns the finding as one about an account.
  func of(_ account: String) -> Finding {
    var finding = self
    finding.account = account
    return finding
  }

  /// Creates the finding of an error.
  public init(_ name: String, _ error: any Error) {
    self.init(name, .failed, "\(type(of: error))", error: error)
  }
}
