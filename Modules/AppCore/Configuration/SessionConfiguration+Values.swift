import Networking
import SystemSupport

extension SessionConfiguration {
  /// The keys and values of a session, as the configuration file writes them.
  ///
  /// Add each new key here.
  var values: [(key: String, value: String)] {
    Key.allCases.flatMap { key -> [(key: String, value: String)] in
      values(of: key).map { (key: $0.isEmpty ? key.rawValue : "\(key.rawValue).\($0)", value: $1) }
    }
  }

  private func values(of key: Key) -> [(key: String, value: String)] {
    switch key {
    case .timeout:
      [
        ("connect", timeout.connect.configurationText), ("idle", timeout.idle.configurationText),
        ("request", timeout.request.configurationText),
        ("operation", timeout.operation?.configurationText ?? "none"),
      ]
    case .concurrency: [("", "\(concurrency)")]
    case .rateLimit: [("", "as the provider publishes")]
    case .connections:
      [
        ("perHost", connections.perHost.map { "\($0)" } ?? "as many as concurrency"),
        ("keepAlive", connections.keepAlive.configurationText),
      ]
    case .retry:
      [
        ("attempts", "\(retry.attempts)"), ("maxWait", retry.maxWait.configurationText),
        ("totalWait", retry.totalWait.configurationText),
        ("baseDelay", retry.baseDelay.configurationText),
      ]
    case .redirects:
      switch redirects {
      case .none: [("", "none")]
      case .follow(let most): [("", "\(most)")]
      }
    case .maximumResponseSize: [("", "\(maximumResponseSize)")]
    case .maximumDecompressionRatio: [("", "\(maximumDecompressionRatio)")]
    case .proxy: [("", "environment")]
    case .minimumTLSVersion: [("", minimumTLSVersion.rawValue)]
    case .extraCACertificates: [("", "[]")]
    // Each header is a key of its own, and by default there is none.
    case .headers: []
    case .userAgent: [("", userAgent)]
    }
  }
}

extension Duration {
  /// The duration in the configuration file's format, such as `30s` or `500ms`.
  fileprivate var configurationText: String {
    let milliseconds = Int(clamping: self / .milliseconds(1), rounding: .down)
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
  }
}
