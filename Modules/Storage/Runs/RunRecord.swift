public import Models

/// What is on record of a run.
public struct RunRecord: Sendable {
  /// How a run ended.
  public enum Result: String, Sendable, Codable {
    /// It has not ended.
    case running
    /// It got to the end.
    case complete
    /// It stopped in order before the end.
    case partial
    /// An error ended it.
    case failed
    /// It vanished: killed, or the machine went down.
    case interrupted
  }

  /// How it ended.
  public let result: Result
  /// The provider's name.
  public let provider: String
  /// When it began.
  public let startedAt: Timestamp
  /// When it ended.
  public let endedAt: Timestamp?
  /// What it changed.
  public let counts: ChangeCounts
  /// Pages that it stored.
  public let pages: Int
  /// The newest change before it.
  public let watermarkBefore: Timestamp?
  /// The newest change after it.
  public let watermarkAfter: Timestamp?
}

/// What is known of a run when it begins.
package struct RunStart: Sendable {
  let account: String
  let provider: String
  let mode: String
  let startedAt: Timestamp
  let watermarkBefore: Timestamp?

  package init(
    account: String, provider: String, mode: String, startedAt: Timestamp,
    watermarkBefore: Timestamp?
  ) {
    self.account = account
    self.provider = provider
    self.mode = mode
    self.startedAt = startedAt
    self.watermarkBefore = watermarkBefore
  }
}

/// What is known of a run when it has ended.
package struct RunEnd: Sendable {
  let result: RunRecord.Result
  let errorCode: String?
  let watermark: Timestamp?
  let requests: Int
  let endedAt: Timestamp

  package init(
    result: RunRecord.Result, errorCode: String? = nil, watermark: Timestamp?, requests: Int,
    endedAt: Timestamp
  ) {
    self.result = result
    self.errorCode = errorCode
    self.watermark = watermark
    self.requests = requests
    self.endedAt = endedAt
  }
}

/// The identity of a run.
package struct RunID: Sendable, Hashable {
  let rawValue: Int64
}
