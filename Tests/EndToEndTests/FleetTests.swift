import Foundation
import Models
import Sandbox
import Storage
import TestSupport
import Testing

/// Many accounts of a few logins, synced by the real program: all on one machine, and split over
/// workers that share nothing but the provider.
///
/// `Config/scripts/prove fleet` has 40 logins of 250 organisations each.
@Suite(.serialized, .timeLimit(.minutes(60)), .cleansUp) struct FleetTests {
  private static let proof =
    ProcessInfo.processInfo.environment["APPCORE_FLEET"].flatMap { Int($0) }
  private static let logins = proof == nil ? 4 : 40
  /// The number of organisations of each login.
  private static let books = proof ?? 3

  /// A machine with a configuration, a store of logins and a database of its own.
  private struct Worker {
    let home: TemporaryDirectory
    let environment: [String: String]
    let logins: [String]
    /// The organisation of each account.
    let accounts: [String: String]

    /// - Parameter organisations: those of every login, in the order of the sign-ins.
    init(
      logins numbers: Range<Int>, of server: SandboxServer, _ organisations: [String]
    ) throws {
      home = try TemporaryDirectory()
      var environment = ["HOME": home.path]
      for folder in ["DATA", "CONFIG", "STATE", "CACHE"] {
        environment["XDG_\(folder)_HOME"] = home.file(folder.lowercased())
      }
      // Replaces the browser of a user who presses Approve.
      let sandbox = try ChildProcess.built("appcore-sandbox")
      let browser = try home.write("#!/bin/sh\nexec \(sandbox) approve \"$1\"\n", to: "xdg-open")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
      environment["PATH"] = home.path + ":" + path
      let key = try home.write(
        Data(repeating: UInt8(numbers.count), count: 32).base64EncodedString(), to: "key")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
      var accounts: [String: String] = [:]
      var lines: [String] = []
      for number in numbers {
        for book in 0..<FleetTests.books {
          let organisation = organisations[number * FleetTests.books + book]
          let name = book == 0 ? Self.login(number) : "\(Self.login(number))-\(book)"
          let owner =
            book == 0 ? "clientID: \(server.clientID)" : "login: \(Self.login(number))"
          lines.append("  \(name): { \(owner), tenantID: \"\(organisation)\" }")
          accounts[name] = organisation
        }
      }
      let url = server.url.absoluteString
      environment["APPCORE_CONFIG"] = try home.write(
        """
        provider: xero
        secretStore: { kind: encrypted-file, keyFile: "\(key)" }
        providers: { xero: { baseURL: "\(url)", issuer: "\(url)" } }
        accounts:
        \(lines.joined(separator: "\n"))
        """, to: "config.yaml")
      self.environment = environment
      self.accounts = accounts
      logins = numbers.map(Self.login)
    }

    private static func login(_ number: Int) -> String { "login-\(number)" }

    /// Runs the program to its end; returns the most memory that it had, in MiB.
    func run(_ arguments: [String]) async throws -> (ending: ChildProcess.Ending, memory: Double) {
      try await ChildProcess(
        try ChildProcess.built("appcore"), arguments, environment: environment
      ).measuredEnding()
    }

    /// Runs a command that works; returns its time and memory.
    func timed(_ arguments: String...) async throws -> String {
      let start = ContinuousClock.now
      let (ending, memory) = try await run(arguments)
      #expect(ending.status == 0, "\(arguments): \(ending.errors)")
      return "\(ContinuousClock.now - start), \(Int(memory)) MiB"
    }

    func signIn() async throws {
      for login in logins {
        let ending = try await run(["login", "--account", login]).ending
        try #require(ending.status == 0, "\(ending.errors)")
      }
    }

    /// Syncs every account, as a timer does: it runs again where the provider's limit ended a run.
    ///
    /// - Returns: the most memory of a run, in MiB.
    func sync() async throws -> Double {
      var most = 0.0
      for _ in 0..<60 {
        let (ending, memory) = try await run(["sync", "all", "--all-accounts", "--quiet"])
        most = max(most, memory)
        guard ending.status == 75 else {
          try #require(ending.status == 0, "\(ending.errors)")
          return most
        }
        // The limit is of a minute.
        try await Task.sleep(for: .seconds(10))
      }
      Issue.record("the limit left no room in ten minutes")
      return most
    }

    /// The identifiers of the stored invoices and bills of each account.
    func stored() async throws -> [String: [String]] {
      let database = try await LocalDatabase.open(at: home.file("data") + "/appcore/appcore.sqlite")
      var query = InvoiceQuery()
      query.includesVoidAndDeleted = true
      query.types = [.invoice, .bill]
      let found = try await database.invoices(matching: query)
      try await database.close()
      return Dictionary(grouping: found, by: \.account).mapValues { $0.map(\.invoice.id).sorted() }
    }
  }

  @Test("each account gets its own rows, and the provider's limits are kept", arguments: [1, 4])
  func rows(workers count: Int) async throws {
    var configuration = SandboxConfiguration()
    configuration.source = .generated(invoices: 10, seed: 5)
    configuration.tenants = Self.logins * Self.books
    configuration.tenantsPerLogin = Self.books
    configuration.limits = SandboxLimits()
    let server = try await SandboxServer.start(configuration)
    CleanUp.atEnd { await server.stop() }
    let organisations = server.tenantIDs
    let workers = try (0..<count).map { worker in
      let share = Self.logins / count
      return try Worker(
        logins: worker * share..<(worker + 1) * share, of: server, organisations)
    }
    for worker in workers { try await worker.signIn() }
    let start = ContinuousClock.now
    let memory = try await withThrowingTaskGroup { group in
      for worker in workers { group.addTask { try await worker.sync() } }
      return try await group.reduce(into: []) { $0.append($1) }.max() ?? 0
    }
    let synced = ContinuousClock.now
    for worker in workers {
      let stored = try await worker.stored()
      #expect(stored.count == worker.accounts.count)
      for (name, organisation) in worker.accounts {
        #expect(stored[name] == server.invoices(of: organisation).map(\.id).sorted(), "\(name)")
      }
    }
    let statistics = await server.statistics()
    let limits = SandboxLimits()
    for (id, counts) in statistics.organisations {
      #expect(counts.mostConcurrent <= limits.concurrent, "\(id)")
      #expect(counts.mostPerMinute <= limits.perMinute, "\(id)")
      // Workers cannot know of one another's requests, so the provider may refuse some.
      if count == 1 { #expect(counts.refused == 0, "\(id)") }
    }
    #expect(statistics.refreshReuseDetected == 0)
    #expect(statistics.tokenRequests["authorization_code"] == Self.logins)
    let requests = statistics.organisations.values.map(\.requests).reduce(0, +)
    let refused = statistics.organisations.values.map(\.refused).reduce(0, +)
    let status = try await workers[0].timed("status", "--json")
    guard Self.proof != nil else { return }
    print(
      """
      \(configuration.tenants) accounts, \(count) workers: synced in \(synced - start), \
      \(Int(memory)) MiB at most; \(requests) requests, \(refused) refused
      \(workers[0].accounts.count) accounts of the first worker: status \(status), \
      doctor \(try await workers[0].timed("doctor")), \
      organisations \(try await workers[0].timed("organisations", "list"))
      """)
  }
}
