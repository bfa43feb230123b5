import Sync
import SyncSupport

/// The runs after which the database has to equal the server, once edits end.
enum DriftPromise: Sendable {
  /// After any one, as everything is read each time.
  case anyRun
  /// After so many that bring what has changed.
  case plainRuns(Int)
  /// After one that reads everything from its start.
  case wholeRun

  func runs(_ random: inout SeededRandom) -> [SyncOptions] {
    var whole = SyncOptions()
    whole.maximumDeletedPercent = 100
    let plain = whole
    if random.chance(50) { whole.isFull = true } else { whole.verifies = true }
    return switch self {
    case .anyRun: [random.chance(50) ? plain : whole]
    case .plainRuns(let count): Array(repeating: plain, count: count)
    case .wholeRun: [whole]
    }
  }
}
