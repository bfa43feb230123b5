import Foundation
import HTTPTypes
import Networking

extension SessionConfiguration {
  static let settings: [Setting<SessionConfiguration>] = [
    Setting(
      "timeout.connect", \.timeout.connect, .duration,
      "Time to establish a connection, TLS included"),
    Setting("timeout.idle", \.timeout.idle, .duration, "Time between two pieces of a response"),
    Setting(
      "timeout.request", \.timeout.request, .duration, "Time for one attempt, body included",
      "The wait for a free slot (see `concurrency`) does not count."),
    Setting(
      "timeout.operation", \.timeout.operation, .duration,
      "Time for everything: waits and all attempts", default: "none", example: "10m"),
    Setting(
      "concurrency", \.concurrency, .integer(1...256), "Largest number of concurrent operations"),
    Setting(
      "rateLimit", \.rateLimits, .rateLimits, "Rate limit, or a list of limits that all apply",
      "Intervals are up to 24h.", default: "as the provider publishes",
      example: "[{ requests: 60, interval: 1m }, { requests: 5000, interval: 24h }]"),
    Setting(
      "connections.perHost", \.connections.perHost, .integer(1...256),
      "Largest number of concurrent requests to one server",
      "Each is on its own connection.", default: "as many as concurrency", example: "2"),
    Setting(
      "connections.keepAlive", \.connections.keepAlive, .duration,
      "Lifetime of an unused connection"),
    Setting(
      "retry.attempts", \.retry.attempts, .integer(1...20),
      "Largest number of attempts, the first included"),
    Setting(
      "retry.maxWait", \.retry.maxWait, .duration, "Longest single wait",
      "If the server asks for more, its response is returned immediately."),
    Setting(
      "retry.totalWait", \.retry.totalWait, .duration,
      "Longest total of all waits of one operation"),
    Setting(
      "retry.baseDelay", \.retry.baseDelay, .duration, "Upper bound of the first wait",
      "It doubles with each attempt."),
    Setting(
      "redirects", \.redirects, .redirects,
      "Largest number of redirects to follow, 1 to 20, or `none`", "Never from https to http."),
    Setting(
      "maximumResponseSize", \.maximumResponseSize, .byteCount,
      "Largest body to read into memory, after decompression: bytes, KiB, MiB or GiB"),
    Setting(
      "maximumDecompressionRatio", \.maximumDecompressionRatio, .integer(1...10_000),
      "Largest ratio of a decompressed body to the received bytes"),
    Setting(
      "proxy", \.proxy, .proxy, "Proxy: `environment`, `none` or `http://host:port`",
      "The environment variables are `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`. Put a "
        + "proxy that needs a password into `https_proxy`."),
    Setting(
      "minimumTLSVersion", \.minimumTLSVersion, .word([.tls12, .tls13]),
      "Oldest version of TLS to accept"),
    Setting(
      "extraCACertificates", \.extraCACertificates, .certificateFiles,
      "PEM files of certificate authorities to trust in addition to the system's"),
    Setting(
      "headers", \.headers, .headerFields, "Header fields to add to every request that lacks them",
      "Write no credentials here.", example: "{ X-Client: blue }"),
    Setting("userAgent", \.userAgent, .printableText, "Value of the header field `User-Agent`"),
  ]
}

extension CoreConfiguration {
  static func defaultSession(_ module: String) -> SessionConfiguration {
    var configuration = SessionConfiguration()
    switch module {
    case "auth":
      configuration.timeout.connect = .seconds(5)
      configuration.timeout.request = .seconds(20)
      // A redirect must never pass credentials on, and the responses of a token endpoint are small.
      configuration.redirects = .none
      configuration.maximumResponseSize = 1 << 20
    case "documents":
      configuration.timeout.request = .seconds(300)
    default: break
    }
    return configuration
  }
}

extension SettingKind<[RateLimit]> {
  fileprivate static var rateLimits: SettingKind {
    SettingKind {
      try $0.rateLimits()
    } write: { limits in
      limits.isEmpty
        ? nil
        : "["
          + limits.map {
            "{ requests: \($0.requests), "
              + "interval: \(SettingKind<Duration>.duration.write($0.interval) ?? "") }"
          }.joined(separator: ", ") + "]"
    }
  }
}

extension SettingKind<[String]> {
  fileprivate static var certificateFiles: SettingKind {
    .texts { node in
      let paths = try node.filePaths()
      for path in paths where !FileManager.default.isReadableFile(atPath: path) {
        throw node.error("cannot read the file \(path)")
      }
      return paths
    }
  }
}

extension SettingKind<HTTPFields> {
  fileprivate static var headerFields: SettingKind {
    SettingKind {
      try $0.headerFields()
    } write: { fields in
      fields.isEmpty
        ? nil
        : "{ " + fields.map { "\($0.name): \"\($0.value)\"" }.joined(separator: ", ") + " }"
    }
  }
}

extension SettingKind<SessionConfiguration.RedirectPolicy> {
  fileprivate static var redirects: SettingKind {
    SettingKind { node in
      let text = try node.text()
      guard text != "none" else { return .none }
      guard let number = Int(text), (1...20).contains(number) else {
        throw node.error("expected none or a whole number from 1 to 20")
      }
      return .follow(max: number)
    } write: {
      switch $0 {
      case .none: "none"
      case .follow(let most): "\(most)"
      }
    }
  }
}

extension SettingKind<ProxyPolicy> {
  fileprivate static var proxy: SettingKind {
    SettingKind(read) {
      switch $0 {
      case .environment: "environment"
      case .none: "none"
      case .server(let proxy):
        "http://\(proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host):\(proxy.port)"
      }
    }
  }

  private static func read(_ node: ConfigurationNode) throws -> ProxyPolicy {
    let text = try node.text()
    switch text {
    case "environment": return .environment
    case "none": return .none
    default:
      guard !text.contains("@") else {
        throw node.error(
          "do not write a user name and a password into this file; write environment here, and set "
            + "the environment variable https_proxy")
      }
      // Without this check, a misspelt 'environment' would be read as a host name.
      guard text.contains("://") else {
        throw node.error("expected environment, none or http://host:port")
      }
      do throws(SessionError) {
        return .server(try Proxy(parsing: text))
      } catch {
        guard case .invalidRequest(let reason) = error else { throw error }
        throw node.error(reason)
      }
    }
  }
}

private enum LimitKey: String, CaseIterable { case requests, interval }

extension ConfigurationNode {
  func rateLimits() throws -> [RateLimit] {
    guard let elements else { return [try rateLimit()] }
    guard !elements.isEmpty else { throw error("expected a limit or a list of limits") }
    return try elements.map { try $0.rateLimit() }
  }

  private func rateLimit() throws -> RateLimit {
    var requests: Int?
    var interval: Duration?
    try readKeys(LimitKey.self) { key, value in
      switch key {
      case .requests: requests = try value.integer(in: 1...1_000_000)
      case .interval: interval = try value.duration()
      }
    }
    guard let requests, let interval else { throw error("requests and interval belong together") }
    return RateLimit(requests: requests, interval: interval)
  }
}
