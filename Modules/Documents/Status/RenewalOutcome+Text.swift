package import Authentication
import Foundation
package import Models

extension AccountStatus.Outcome {
  /// Returns the outcome of a renewal in words.
  package func text(_ time: (Timestamp) -> String) -> String {
    func at(_ date: Date) -> String { time(Timestamp(date)) }
    return switch self {
    case .obtained(let date): "obtained \(at(date))"
    case .unfinished(let date): "unfinished since \(at(date))"
    case .refused(let times, let date):
      "refused \(times) times without a reason, last \(at(date))"
    case .ended(let reason, let date): "\(reason.rawValue) \(at(date))"
    }
  }
}
