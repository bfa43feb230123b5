import Foundation
import Networking

extension SessionConfiguration {
  enum Key: String, CaseIterable {
    case timeout, concurrency, rateLimit, connections, retry, redirects, maximumResponseSize
    case maximumDecompressionRatio, proxy, minimumTLSVersion, extraCACertificates, headers
    case userAgent
  }

  /// Applies the values of the file; values that it does not set stay unchanged.
  mutating func read(_ node: ConfigurationNode) throws {
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .timeout: try timeout.read(value)
      case .concurrency: concurrency = try value.integer(in: 1...256)
      case .rateLimit: rateLimits = try value.rateLimits()
      case .connections: try connections.read(value)
      case .retry: try retry.read(value)
      case .redirects: redirects = try RedirectPolicy(value)
      case .maximumResponseSize: maximumResponseSize = try value.byteCount()
      case .maximumDecompressionRatio:
        maximumDecompressionRatio = try value.integer(in: 1...10_000)
      case .proxy: proxy = try ProxyPolicy(value)
      case .minimumTLSVersion:
        guard let version = TLSVersion(rawValue: try value.text()) else {
          throw value.error("expected 1.2 or 1.3")
        }
        minimumTLSVersion = version
      case .extraCACertificates:
        extraCACertificates = try value.filePaths()
        for path in extraCACertificates where !FileManager.default.isReadableFile(atPath: path) {
          throw value.error("cannot read the file \(path)")
        }
      case .headers: headers = try value.headerFields()
      case .userAgent: userAgent = try value.printableText()
      }
    }
  }
}

extension SessionConfiguration.Timeouts {
  private enum Key: String, CaseIterable { case connect, idle, request, operation }

  fileprivate mutating func read(_ node: ConfigurationNode) throws {
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .connect: connect = try value.duration()
      case .idle: idle = try value.duration()
      case .request: request = try value.duration()
      case .operation: operation = try value.duration()
      }
    }
  }
}

extension SessionConfiguration.Connections {
  private enum Key: String, CaseIterable { case perHost, keepAlive }

  fileprivate mutating func read(_ node: ConfigurationNode) throws {
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .perHost: perHost = try value.integer(in: 1...256)
      case .keepAlive: keepAlive = try value.duration()
      }
    }
  }
}

extension SessionConfiguration.RetryPolicy {
  private enum Key: String, CaseIterable { case attempts, maxWait, totalWait, baseDelay }

  fileprivate mutating func read(_ node: ConfigurationNode) throws {
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .attempts: attempts = try value.integer(in: 1...20)
      case .maxWait: maxWait = try value.duration()
      case .totalWait: totalWait = try value.duration()
      case .baseDelay: baseDelay = try value.duration()
      }
    }
  }
}

extension SessionConfiguration.RedirectPolicy {
  fileprivate init(_ node: ConfigurationNode) throws {
    let text = try node.text()
    guard text != "none" else {
      self = .none
      return
    }
    guard let number = Int(text), (1...20).contains(number) else {
      throw node.error("expected none or a whole number from 1 to 20")
    }
    self = .follow(max: number)
  }
}

extension ProxyPolicy {
  fileprivate init(_ node: ConfigurationNode) throws {
    let text = try node.text()
    switch text {
    case "environment": self = .environment
    case "none": self = .none
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
        self = .server(try Proxy(parsing: text))
      } catch {
        guard case .invalidRequest(let reason) = error else { throw error }
        throw node.error(reason)
      }
    }
  }
}
