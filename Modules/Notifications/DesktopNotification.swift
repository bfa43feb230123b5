import CGio
import SystemSupport

/// A message that the user's desktop shows (Desktop Notifications Specification 1.2).
package struct DesktopNotification: Sendable, Equatable {
  /// The outcome of showing a message.
  package enum Outcome: Sendable {
    /// The desktop has taken the message.
    case shown
    /// The session has no bus, or none of its programs shows notifications.
    case noService
    /// The service refused the message, or did not answer in time.
    case failed
  }

  /// One line.
  package let summary: String
  /// Plain text; characters that the specification reads as markup are escaped.
  package let body: String

  /// Creates a message.
  package init(summary: String, body: String) {
    self.summary = summary
    self.body = body
  }

  /// Shows the message on the session bus.
  ///
  /// - Parameters:
  ///   - address: the address of the bus; `nil` if the session has none.
  ///   - limit: the longest wait for the answer.
  package func show(
    on address: String? = SessionBus.address, within limit: Duration = .seconds(5)
  ) async -> Outcome {
    guard let address else { return .noService }
    let milliseconds = Int32(clamping: limit / .milliseconds(1))
    return await BlockingWork.run { [summary, markup] () -> Outcome in
      switch Int(appcore_notify(address, "appcore", summary, markup, milliseconds)) {
      case APPCORE_SHOWN: .shown
      case APPCORE_NO_SERVICE: .noService
      default: .failed
      }
    }
  }

  private var markup: String {
    body.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
