public import Providers
import Sync

/// The checks that every provider has to pass, run against a server that simulates the provider.
///
/// ```swift
/// let suite = ProviderConformance(AcmeProvider()) { AcmeServer(invoices: 60) }
/// for check in ConformanceCheck.allCases {
///   let findings = try await suite.findings(of: check)   // empty if all is well
/// }
/// ```
public struct ProviderConformance: Sendable {
  let provider: any Provider
  let startServer: @Sendable () async throws -> any ProviderServer

  /// Creates the suite.
  ///
  /// - Parameters:
  ///   - provider: the provider to test.
  ///   - startServer: starts a server; each check gets its own.
  public init(
    _ provider: any Provider,
    startServer: @escaping @Sendable () async throws -> any ProviderServer
  ) {
    self.provider = provider
    self.startServer = startServer
  }

  /// Runs one check.
  ///
  /// - Returns: the problems, including an unexpected error.
  /// - Throws: `CancellationError`; what starting the server throws.
  public func findings(of check: ConformanceCheck) async throws -> [ConformanceFinding] {
    let server = try await startServer()
    var problems: [String]
    do {
      problems = try await self.problems(of: check, server)
    } catch is CancellationError where Task.isCancelled {
      await server.stop()
      throw CancellationError()
    } catch {
      problems = ["it fails with \(type(of: error)): \(error)"]
    }
    await server.stop()
    return problems.map { ConformanceFinding(check: check, problem: $0) }
  }

  /// Returns `true` if a server supports what a check needs; otherwise the check finds nothing.
  public static func canTry(_ check: ConformanceCheck, on server: any ProviderServer) -> Bool {
    switch check {
    case .unreadableRows, .deepNests, .exactMoney: server.totalPath != nil
    case .organisations: server.organisations.count > 1
    case .signIns: server.signIns.count > 1
    default: true
    }
  }

  private func problems(
    of check: ConformanceCheck, _ server: any ProviderServer
  ) async throws -> [String] {
    guard Self.canTry(check, on: server) else { return [] }
    return switch check {
    case .traits: try await traits(server)
    case .firstRun: try await firstRun(server)
    case .secondRun: try await secondRun(server)
    case .changes: try await changes(server)
    case .interruption: try await interruption(server)
    case .rateLimit: try await rateLimit(server)
    case .serverErrors: try await serverErrors(server)
    case .credentials: try await credentials(server)
    case .expiredCursor: try await expiredCursor(server)
    case .brokenAnswers: try await brokenAnswers(server)
    case .unreadableRows: try await unreadableRows(server)
    case .deepNests: try await deepNests(server)
    case .exactMoney: try await exactMoney(server)
    case .movingRows: try await movingRows(server)
    case .dryRun: try await dryRun(server)
    case .massDeletion: try await massDeletion(server)
    case .returningRows: try await returningRows(server)
    case .otherLists: try await otherLists(server)
    case .documents: try await documents(server)
    case .verification: try await verification(server)
    case .organisations: try await organisations(server)
    case .signIns: try await signIns(server)
    case .cancellation: try await cancellation(server)
    }
  }

  func onEmptyDatabase(
    _ server: any ProviderServer, _ attempt: (ConformanceScene) async throws -> [String]
  ) async throws -> [String] {
    let scene = try await ConformanceScene(provider, server)
    do {
      let problems = try await attempt(scene)
      try await scene.close()
      return problems
    } catch {
      try? await scene.close()
      throw error
    }
  }

  /// Runs `attempt` for several of the requests of a first run, each time on an empty database.
  func atRequests(
    _ server: any ProviderServer,
    _ attempt: (ConformanceScene, _ number: Int) async throws -> [String]
  ) async throws -> [String] {
    var requests = 0
    var problems = try await onEmptyDatabase(server) { scene in
      _ = try await scene.run()
      requests = scene.wire.requests
      return []
    }
    // The first requests differ most: the start of the list, its first page, the next page.
    for number in Set([1, 2, 3, requests / 2, requests]).sorted()
    where (1...max(1, requests)).contains(number) {
      problems += try await onEmptyDatabase(server) { scene in
        try await attempt(scene, number).map { "at request \(number) of \(requests): \($0)" }
      }
    }
    return problems
  }
}

extension [String] {
  mutating func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
    if !condition { append(problem()) }
  }
}
