import AppCore
import Models
import Sync
import SystemSupport

/// The progress of the syncs of several accounts as one line of text.
struct AccountProgressLine {
  let total: Int

  /// The number of accounts whose syncs have ended, without those that were interrupted.
  private(set) var finished = 0
  /// The records that each sync under way has read.
  private var reading: [String: [Resource: Int]] = [:]
  /// The records of the accounts whose syncs have ended.
  private var recordsBefore = 0
  /// The end of the last wait for a rate limit of each account.
  private var waits: [String: Duration] = [:]

  init(total: Int) {
    self.total = total
  }

  /// The number of records that all syncs have read.
  var records: Int {
    reading.values.reduce(recordsBefore) { $0 + $1.values.reduce(0, +) }
  }

  /// Takes an event that arrives at an uptime.
  mutating func take(_ event: AccountSyncEvent, at now: Duration) {
    switch event {
    case .began(let account): reading[account] = [:]
    case .progress(let account, let resource, .stored(let position)):
      reading[account]?[resource] = position.records
    case .progress(let account, _, .waiting(let wait)) where wait.reason != .retry:
      waits[account] = now + wait.duration
    case .progress: break
    case .finished(let result):
      if !result.isInterrupted { finished += 1 }
      recordsBefore += reading.removeValue(forKey: result.account)?.values.reduce(0, +) ?? 0
      waits[result.account] = nil
    }
  }

  /// Returns the line at an uptime, in so many columns.
  func text(at now: Duration, columns: Int = .max) -> String {
    var parts = ["\(finished.grouped) of \(HumanText.count(total, "account"))"]
    if records > 0 { parts.append(HumanText.count(records, "record")) }
    let ends = waits.values.filter { $0 > now }
    if let end = ends.first {
      let seconds = Int(clamping: (end - now) / .seconds(1), rounding: .up)
      parts.append(
        "\(ends.count) waiting for a rate limit"
          + (ends.count == 1 ? ": \(seconds.grouped) s" : ""))
    }
    let names = reading.keys.sorted()
    if !names.isEmpty { parts.append("syncing \(names.joined(separator: ", "))") }
    return ProgressLine.fitting(parts, columns, cutsLast: true)
  }
}
