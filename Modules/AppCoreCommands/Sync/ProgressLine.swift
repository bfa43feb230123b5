import AppCore
import Foundation
import Models
import Sync
import SystemSupport

/// The progress of syncs as one line of text.
protocol SyncLine: Sendable {
  mutating func take(_ event: AccountSyncEvent, at now: Duration)
  /// Returns the line at an uptime, in so many columns.
  func text(at now: Duration, columns: Int) -> String
  /// Returns how far the syncs had come when one of a resource was interrupted.
  func interruption(of resource: Resource?) -> String
}

/// The progress of the syncs of one account.
struct ProgressLine: SyncLine {
  let resource: Resource
  /// The provider's name for people.
  let provider: String

  private var position: SyncProgress.Position?
  private var wait: (reason: SyncProgress.Wait.Reason, end: Duration)?
  private var isWaitingForProcess = false
  private var isIndexing = false

  init(resource: Resource, provider: String) {
    self.resource = resource
    self.provider = provider
  }

  func interruption(of resource: Resource?) -> String {
    guard let records = position?.records, records > 0, resource == self.resource else {
      return "interrupted before anything was stored"
    }
    return "interrupted after \(HumanText.count(records, self.resource))"
  }

  mutating func take(_ event: AccountSyncEvent, at now: Duration) {
    guard case .progress(_, let resource, let progress) = event else { return }
    if resource != self.resource { self = ProgressLine(resource: resource, provider: provider) }
    take(progress, at: now)
  }

  mutating func take(_ event: SyncProgress, at now: Duration) {
    isWaitingForProcess = false
    switch event {
    case .waitingForProcess: isWaitingForProcess = true
    case .waiting(let wait): self.wait = (wait.reason, now + wait.duration)
    case .stored(let position): self.position = position
    case .indexing: isIndexing = true
    case .connecting, .finished: break
    }
  }

  func text(at now: Duration, columns: Int = .max) -> String {
    let label = resource.words.prefix(1).uppercased() + resource.words.dropFirst()
    if isIndexing { return Self.fitting([label, "indexing…"], columns) }
    if let wait, wait.end > now {
      let seconds = Int(clamping: (wait.end - now) / .seconds(1), rounding: .up)
      return Self.fitting([text(of: wait.reason) + " \(seconds.grouped) s…"], columns)
    }
    if isWaitingForProcess { return Self.fitting(["Waiting for another appcore…"], columns) }
    guard let position else { return Self.fitting(["Connecting to \(provider)…"], columns) }
    return Self.fitting([label] + Self.parts(of: position), columns)
  }

  private func text(of reason: SyncProgress.Wait.Reason) -> String {
    switch reason {
    case .rateLimit: "\(provider) asks us to wait:"
    case .publishedLimit: "Keeping to the rate limit of \(provider):"
    case .retry: "\(provider) does not answer; trying again in"
    }
  }

  private static func parts(of position: SyncProgress.Position) -> [String] {
    let count = position.position.grouped
    var parts = [count]
    if let total = position.total {
      parts = ["\(count) / \(total.grouped)"]
      if total > 0 { parts.append("\(position.position * 100 / total) %") }
    }
    if let rate = position.recordsPerSecond {
      parts.append("\(Int(clamping: rate).grouped)/s")
    }
    if let remaining = position.timeRemaining {
      parts.append("ETA \(HumanText.stopwatch(remaining))")
    }
    return parts
  }

  /// Joins as many parts as fit; a first part that is too long is cut.
  ///
  /// The last column stays free: a terminal may wrap a line that fills it.
  ///
  /// - Parameter cutsLast: true to cut the last part too, if there is some room for it.
  static func fitting(_ parts: [String], _ columns: Int, cutsLast: Bool = false) -> String {
    let room = columns == .max ? .max : max(1, columns - 1)
    var line = ""
    for part in parts {
      let longer = line.isEmpty ? part : line + "  " + part
      guard longer.count <= room else {
        if cutsLast, !line.isEmpty, part == parts.last, room - line.count > 12 {
          return longer.prefix(room - 1) + "…"
        }
        break
      }
      line = longer
    }
    guard line.isEmpty, let first = parts.first else { return line }
    return first.prefix(room - 1) + "…"
  }
}

/// The progress of the syncs of several accounts.
struct AccountProgressLine: SyncLine {
  let total: Int

  /// The number of accounts whose syncs have ended, without those that were interrupted.
  private var finished = 0
  /// The records that each sync under way has read.
  private var reading: [String: [Resource: Int]] = [:]
  /// The records of the accounts whose syncs have ended.
  private var recordsBefore = 0
  /// The end of the last wait for a rate limit of each account.
  private var waits: [String: Duration] = [:]

  init(total: Int) {
    self.total = total
  }

  func interruption(of resource: Resource?) -> String {
    "interrupted after \(finished) of \(HumanText.count(total, "account"))"
  }

  private var records: Int {
    reading.values.reduce(recordsBefore) { $0 + $1.values.reduce(0, +) }
  }

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
