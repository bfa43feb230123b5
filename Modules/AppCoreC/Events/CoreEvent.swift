import CAppCore
import Documents

/// An event of a request, before the caller fetches it.
struct CoreEvent: Sendable {
  /// The types, as `appcore.h` documents them.
  enum Kind: Sendable, Equatable {
    case progress, report, openURL, deviceCode, signedIn, signedOut, status, organisations
    /// A change; the topic says of what.
    case changed(topic: String)
    case done, failed, cancelled

    var type: CInt {
      let constant =
        switch self {
        case .progress: APPCORE_EVENT_PROGRESS
        case .report: APPCORE_EVENT_REPORT
        case .openURL: APPCORE_EVENT_OPEN_URL
        case .deviceCode: APPCORE_EVENT_DEVICE_CODE
        case .signedIn: APPCORE_EVENT_SIGNED_IN
        case .signedOut: APPCORE_EVENT_SIGNED_OUT
        case .status: APPCORE_EVENT_STATUS
        case .organisations: APPCORE_EVENT_ORGANISATIONS
        case .changed: APPCORE_EVENT_CHANGED
        case .done: APPCORE_EVENT_DONE
        case .failed: APPCORE_EVENT_FAILED
        case .cancelled: APPCORE_EVENT_CANCELLED
        }
      return CInt(constant)
    }
  }

  let kind: Kind
  let request: UInt64
  let json: String?
  let failure: Failure?

  init(_ kind: Kind, of request: UInt64, json: String? = nil, failure: Failure? = nil) {
    (self.kind, self.request, self.json, self.failure) = (kind, request, json, failure)
  }

  /// True if the request has no further event.
  var isLast: Bool {
    switch kind {
    case .done, .failed, .cancelled: true
    default: false
    }
  }

  /// True if only the newest event of its kind matters.
  var isReplaceable: Bool {
    switch kind {
    case .progress, .changed: true
    default: false
    }
  }

  /// True if the event takes the place of one that the caller did not fetch.
  func replaces(_ other: CoreEvent) -> Bool {
    isReplaceable && request == other.request && kind == other.kind
  }
}
