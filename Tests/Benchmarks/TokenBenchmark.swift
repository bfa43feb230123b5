import Authentication
import Foundation
import HTTPTypes
import Networking
import SecureStore

/// The cost of putting a valid token on a request, from 1, 32 and 1 000 concurrent tasks.
struct TokenBenchmark {
  private let calls = 2_000_000
  private let rounds = 5

  func run() async throws {
    let folder =
      NSTemporaryDirectory() + "appcore-benchmark-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    guard let url = URL(string: "https://api.example.com/"), let origin = Origin(url),
      let account = Account(
        name: "default",
        server: .endpoints(AuthorizationServer(authorizationEndpoint: url, tokenEndpoint: url)),
        client: OAuthClient(id: "c"))
    else { return }
    // As long as the signed tokens of large providers are.
    let token = String(repeating: "abcdefgh", count: 128)
    let session = Session(name: "auth", configuration: SessionConfiguration())
    let authenticator = try Authenticator(
      accounts: [account], store: InMemorySecretStore(), session: session, lockFolder: folder)
    _ = try await authenticator.setTokens(
      TokenSet(accessToken: Secret(token), expiresAt: Date().addingTimeInterval(86_400)),
      for: "default")
    let authorizer = try authenticator.authorizer(for: "default", origins: [origin])
    let plain = PlainActor(token: token, expiresAt: Date().addingTimeInterval(86_400))
    let request = HTTPRequest(
      method: .get, scheme: "https", authority: "api.example.com", path: "/")

    let table = MarkdownTable(
      title: "A valid token: ns for each call, median of \(rounds) rounds of \(calls) calls",
      columns: ["authorize", "plain actor", "ratio", "authorize a copied request"])
    for tasks in [1, 32, 1_000] {
      var ours: [Double] = []
      var theirs: [Double] = []
      var copied: [Double] = []
      for _ in 0..<rounds {
        ours.append(
          try await measure(tasks) { count in
            var request = request
            for _ in 0..<count {
              _ = try authorizer.authorizeImmediately(&request)
              keep(request)
            }
          })
        theirs.append(
          try await measure(tasks) { count in
            var request = request
            for _ in 0..<count {
              request.headerFields[.authorization] = await plain.header()
              keep(request)
            }
          })
        copied.append(
          try await measure(tasks) { count in
            for _ in 0..<count {
              var fresh = request
              _ = try authorizer.authorizeImmediately(&fresh)
              keep(fresh)
            }
          })
      }
      let (a, b, c) = (median(ours), median(theirs), median(copied))
      table.row(
        "\(tasks) tasks", a.digits(0), b.digits(0), (b / a).digits(1) + " ×", c.digits(0))
    }
    await session.shutdown()
  }

  /// Nanoseconds for a call, all tasks together.
  private func measure(
    _ tasks: Int, _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> Double {
    let each = calls / tasks
    let begin = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks { group.addTask { try await body(each) } }
      try await group.waitForAll()
    }
    return begin.duration(to: .now) / .nanoseconds(1) / Double(each * tasks)
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Keeps a value from being optimized away.
@inline(never) private func keep(_ request: HTTPRequest) {}

/// The usual design: every request asks the actor for its token.
private actor PlainActor {
  private let token: String
  private let expiresAt: Date

  init(token: String, expiresAt: Date) {
    self.token = token
    self.expiresAt = expiresAt
  }

  func header() -> String {
    expiresAt > Date() ? "Bearer " + token : ""
  }
}
