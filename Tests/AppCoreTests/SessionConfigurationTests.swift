import Foundation
import HTTPTypes
import Models
import Networking
import TestSupport
import Testing

@testable import AppCore

@Suite(.timeLimit(.minutes(10))) struct SessionConfigurationTests {
  private func session(_ entry: String) throws -> SessionConfiguration {
    try CoreConfiguration(yaml: "sessions:\n  invoices:\n    \(entry)\n").session("invoices")
  }

  private func shippedText() throws -> String {
    try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Config/appcore.yaml"), encoding: .utf8)
  }

  @Test("the requests a day are the account's, or else those that the provider allows any app")
  func requestsPerDay() throws {
    let configuration = try CoreConfiguration(
      yaml: """
        accounts:
          free: { provider: xero }
          paid: { provider: xero, requestsPerDay: 5000 }
          other: { provider: stripe, requestsPerDay: 9 }
        """)
    for (name, requests) in [("free", 1_000), ("paid", 5_000), ("other", 9)] {
      let account = try #require(configuration.accounts[name])
      let limits = try configuration.provider(account.provider)
        .bounded(SessionConfiguration(), for: account).rateLimits
      let days = limits.filter { $0.interval == .seconds(86_400) }
      #expect(days == [RateLimit(requests: requests, interval: .seconds(86_400))], "\(name)")
      #expect(limits.count == 2 || name == "other")
    }
  }

  private typealias Change = @Sendable (inout SessionConfiguration) -> Void

  private static let values: [(String, Change)] = [
    ("timeout: { connect: 3s }", { $0.timeout.connect = .seconds(3) }),
    ("timeout: { idle: 250ms }", { $0.timeout.idle = .milliseconds(250) }),
    ("timeout: { request: 2m }", { $0.timeout.request = .seconds(120) }),
    ("timeout: { operation: 1h }", { $0.timeout.operation = .seconds(3_600) }),
    ("concurrency: 9", { $0.concurrency = 9 }),
    (
      "rateLimit: { requests: 60, interval: 1m }",
      { $0.rateLimits = [RateLimit(requests: 60, interval: .seconds(60))] }
    ),
    (
      "rateLimit: [{ requests: 60, interval: 1m }, { requests: 5000, interval: 24h }]",
      {
        $0.rateLimits = [
          RateLimit(requests: 60, interval: .seconds(60)),
          RateLimit(requests: 5_000, interval: .seconds(86_400)),
        ]
      }
    ),
    ("connections: { perHost: 3 }", { $0.connections.perHost = 3 }),
    ("connections: { keepAlive: 7s }", { $0.connections.keepAlive = .seconds(7) }),
    ("retry: { attempts: 1 }", { $0.retry.attempts = 1 }),
    ("retry: { maxWait: 5s }", { $0.retry.maxWait = .seconds(5) }),
    ("retry: { totalWait: 6s }", { $0.retry.totalWait = .seconds(6) }),
    ("retry: { baseDelay: 20ms }", { $0.retry.baseDelay = .milliseconds(20) }),
    ("redirects: none", { $0.redirects = .none }),
    ("redirects: 20", { $0.redirects = .follow(max: 20) }),
    ("maximumResponseSize: 4096", { $0.maximumResponseSize = 4_096 }),
    ("maximumResponseSize: 3KiB", { $0.maximumResponseSize = 3_072 }),
    ("maximumResponseSize: 2 MiB", { $0.maximumResponseSize = 2 << 20 }),
    ("maximumResponseSize: 16GiB", { $0.maximumResponseSize = 16 << 30 }),
    ("maximumDecompressionRatio: 30", { $0.maximumDecompressionRatio = 30 }),
    ("proxy: none", { $0.proxy = .none }),
    (
      "proxy: http://proxy.example:3128",
      { $0.proxy = .server(Proxy(host: "proxy.example", port: 3_128)) }
    ),
    ("proxy: http://[::1]", { $0.proxy = .server(Proxy(host: "::1", port: 80)) }),
    ("minimumTLSVersion: 1.3", { $0.minimumTLSVersion = .tls13 }),
    ("minimumTLSVersion: \"1.3\"", { $0.minimumTLSVersion = .tls13 }),
    ("extraCACertificates: [/dev/null]", { $0.extraCACertificates = ["/dev/null"] }),
    (
      "headers: { X-Client: blue, Accept-Language: \"de, en\" }",
      {
        $0.headers[.acceptLanguage] = "de, en"
        if let name = HTTPField.Name("X-Client") { $0.headers[name] = "blue" }
      }
    ),
    ("userAgent: mine/1.0 (test)", { $0.userAgent = "mine/1.0 (test)" }),
    ("proxy: environment", { _ in }),
    ("headers: {}", { _ in }),
    ("minimumTLSVersion: 1.2", { _ in }),
  ]

  @Test("a key changes its field and nothing else", arguments: values.indices)
  func value(index: Int) throws {
    let (entry, change) = Self.values[index]
    var expected = CoreConfiguration.defaultSession("invoices")
    change(&expected)
    #expect(try session(entry) == expected, "\(entry)")
  }

  @Test(
    "a bad value is named with line and key",
    arguments: [
      ("timeout: { connect: 0s }", "timeout.connect"),
      ("timeout: { operation: none }", "timeout.operation"),
      ("timeout: { total: 1s }", "timeout.total"),
      ("timeout: 5s", "timeout"),
      ("concurrency: 257", "concurrency"),
      ("rateLimit: { requests: 60 }", "rateLimit"),
      ("rateLimit: { interval: 1m }", "rateLimit"),
      ("rateLimit: { requests: 0, interval: 1m }", "rateLimit.requests"),
      ("rateLimit: { requests: 1, interval: 60 }", "rateLimit.interval"),
      ("rateLimit: 60/m", "rateLimit"),
      ("rateLimit: []", "rateLimit"),
      ("rateLimit: [{ requests: 60, interval: 1m }, { requests: 1 }]", "rateLimit"),
      ("connections: { perHost: 0 }", "connections.perHost"),
      ("connections: { keepAlive: 2d }", "connections.keepAlive"),
      ("retry: { attempts: 0 }", "retry.attempts"),
      ("retry: { maxWait: -1s }", "retry.maxWait"),
      ("retry: { totalWait: 25h }", "retry.totalWait"),
      ("retry: { baseDelay: 1.5s }", "retry.baseDelay"),
      ("redirects: 0", "redirects"),
      ("redirects: 21", "redirects"),
      ("redirects: all", "redirects"),
      ("maximumResponseSize: 0", "maximumResponseSize"),
      ("maximumResponseSize: 64MB", "maximumResponseSize"),
      ("maximumResponseSize: -1", "maximumResponseSize"),
      ("maximumResponseSize: 17GiB", "maximumResponseSize"),
      ("maximumResponseSize: 99999999999GiB", "maximumResponseSize"),
      ("maximumDecompressionRatio: 0", "maximumDecompressionRatio"),
      ("proxy: enviroment", "proxy"),
      ("proxy: proxy.example:3128", "proxy"),
      ("proxy: https://proxy.example", "proxy"),
      ("proxy: socks5://proxy.example", "proxy"),
      ("proxy: http://proxy.example:0", "proxy"),
      ("minimumTLSVersion: 1.1", "minimumTLSVersion"),
      ("minimumTLSVersion: 1.30", "minimumTLSVersion"),
      ("extraCACertificates: /dev/null", "extraCACertificates"),
      ("extraCACertificates: [/none.pem]", "extraCACertificates"),
      ("caCertificates: []", "caCertificates"),
      ("headers: [X-Client]", "headers"),
      ("headers: { \"X Client\": a }", "headers.X Client"),
      ("headers: { \":path\": a }", "headers.:path"),
      ("headers: { X-Client: \"a\\r\\nX-Other: b\" }", "headers.X-Client"),
      ("headers: { X-Client: \"a\\tb\" }", "headers.X-Client"),
      ("headers: { X-Client: \" a\" }", "headers.X-Client"),
      ("headers: { X-Client: }", "headers.X-Client"),
      ("headers: { X-Client: a, x-client: b }", "headers.x-client"),
      ("headers: { connection: close }", "headers.connection"),
      ("headers: { Host: a }", "headers.Host"),
      ("headers: { Content-Length: 1 }", "headers.Content-Length"),
      ("headers: { Transfer-Encoding: chunked }", "headers.Transfer-Encoding"),
      ("headers: { Upgrade: h2c }", "headers.Upgrade"),
      ("headers: { User-Agent: a }", "headers.User-Agent"),
      ("userAgent: \"a\\nb\"", "userAgent"),
      ("userAgent: \"\"", "userAgent"),
      ("nonsense: 1", "nonsense"),
    ])
  func badValue(entry: String, key: String) {
    expectMistake(line: 3, key: "sessions.invoices.\(key)") { try session(entry) }
  }

  @Test(
    "a secret is refused with its fix, and not shown",
    arguments: [
      ("proxy: http://ada:hunter2@proxy.example:3128", "https_proxy"),
      ("proxy: http://hunter2@proxy.example", "https_proxy"),
      ("proxy: ada:hunter2@proxy.example", "https_proxy"),
      ("headers: { AUTHORIZATION: Bearer hunter2 }", "login"),
      ("headers: { cookie: hunter2 }", "cookies"),
      ("headers: { Proxy-Authorization: Basic hunter2 }", "https_proxy"),
      ("proxy: http://ada:hunter2/x@proxy.example:3128", "https_proxy"),
      ("proxy: http://ada:hunter2", "http://host:port"),
    ])
  func secret(entry: String, cure: String) {
    #expect {
      _ = try session(entry)
    } throws: { error in
      guard let error = error as? ConfigurationError else { return false }
      return error.problem.contains(cure) && !error.description.contains("hunter2")
        && error.line == 3
    }
  }

  @Test("any name may have an entry, on top of the defaults of that name")
  func names() throws {
    let configuration = try CoreConfiguration(
      yaml:
        "sessions:\n  auth: { concurrency: 2 }\n  reports: { concurrency: 3 }\n")
    var auth = CoreConfiguration.defaultSession("auth")
    auth.concurrency = 2
    #expect(configuration.session("auth") == auth && auth.redirects == .none)
    #expect(configuration.session("reports").concurrency == 3)
  }

  @Test("the shipped file gives every session its defaults")
  func shippedFile() throws {
    let shipped = try CoreConfiguration(yaml: try shippedText())
    #expect(Set(shipped.sessions.keys) == ["auth", "invoices", "documents"])
    for (name, session) in shipped.sessions {
      #expect(session == CoreConfiguration.defaultSession(name), "\(name)")
    }
  }

  @Test("a wait of hours at a daily limit names requestsPerDay, and a short wait does not")
  func dailyLimit() throws {
    let yaml = "accounts: { shop: { provider: xero, clientID: c }, key: { provider: stripe } }"
    let configuration = try CoreConfiguration(yaml: yaml)
    let (soon, later) = (Timestamp(Date() + 60), Timestamp(Date() + 20_000))
    let hint = try #require(configuration.dailyLimitHint(account: "shop", until: later))
    #expect(hint.contains("1000 requests a day") && hint.contains("accounts.shop.requestsPerDay"))
    #expect(configuration.dailyLimitHint(account: "shop", until: soon) == nil)
    #expect(configuration.dailyLimitHint(account: "key", until: later) == nil)
  }
}
