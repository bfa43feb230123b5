import Foundation
import Models
import Sync
import SystemSupport

/// The progress of a sync as one line of text.
struct ProgressLine {
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

  /// The number of records that the run has read.
  var records: Int { position?.records ?? 0 }

  /// Takes an event that arrives at an uptime.
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

  /// Returns the line at an uptime, in so many columns.
  func text(at now: Duration, columns: Int = .max) -> String {
    let label = resource.rawValue.capitalized
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
