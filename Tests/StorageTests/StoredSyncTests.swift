import Models
import TestSupport
import Testing

@testable import Storage

/// The runs and records of many accounts, read at once.
@Suite(.timeLimit(.minutes(10))) struct StoredSyncTests {
  private func run(
    _ account: String, provider: String = "p", at instant: Int64, _ result: RunRecord.Result,
    invoices ids: [String] = [], unreadable: [String] = [], login: String? = nil,
    in database: LocalDatabase
  ) async throws {
    let store = database.invoiceStore
    let time = Timestamp(microsecondsSinceEpoch: instant)
    let run = try await store.beginRun(
      RunStart(
        account: account, provider: provider, kind: .full, startedAt: time, watermarkBefore: nil))
    var page = PendingPage(source: "\(provider):\(account)", instant: time)
    page.checkpoint = Array("{}".utf8)
    let currency = try #require(Currency(code: "EUR"))
    page.records = store.encode(
      ids.map {
        Invoice(
          id: $0, type: .invoice, status: $0.hasPrefix("deleted") ? .deleted : .open,
          rawStatus: "open", currency: currency, total: .zero)
      })
    page.unreadable = unreadable.map { UnreadableRow(id: $0, path: "total", reason: "no number") }
    _ = try await run.commit([page])
    guard result != .running else { return }
    try await run.end(
      RunEnd(
        result: result, errorCode: result == .failed ? "access-denied" : nil, watermark: nil,
        requests: 1, endedAt: Timestamp(microsecondsSinceEpoch: instant + 1), login: login))
  }

  @Test("a failure is repeated if the run before it failed alike, with the same sign-in")
  func repeated() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    let runs: [(RunRecord.Result, String?, Bool)] = [
      (.failed, "a", false), (.failed, "a", true), (.failed, "b", false), (.failed, "b", true),
      (.complete, "b", false), (.failed, "b", false), (.failed, nil, false), (.failed, nil, false),
    ]
    for (index, (result, login, isRepeated)) in runs.enumerated() {
      try await run("one", at: Int64(index) * 10, result, login: login, in: database)
      #expect(
        try await database.repeatsFailure(account: "one", resource: .invoices) == isRepeated,
        "run \(index)")
    }
    #expect(try await !database.repeatsFailure(account: "other", resource: .invoices))
  }

  @Test("each account has its own runs, ages and counts, also one that no run was made for")
  func several() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    try await run("one", at: 10, .complete, invoices: ["a", "b", "deleted"], in: database)
    try await run("one", at: 20, .failed, unreadable: ["c"], in: database)
    try await run("O'Neil \"&\" 𝒳", at: 30, .running, invoices: ["a"], in: database)
    try await run("other", provider: "q", at: 40, .complete, invoices: ["x"], in: database)

    let accounts = ["one": "p", "O'Neil \"&\" 𝒳": "p", "other": "p", "absent": "p"]
    let syncs = try await database.storedSyncs(of: .invoices, accounts: accounts, runs: 1)
    #expect(Set(syncs.keys) == Set(accounts.keys))
    let one = try #require(syncs["one"])
    #expect(one.runs.map(\.result) == [.failed] && one.listed == 2)
    #expect(one.age?.completeAt?.microsecondsSinceEpoch == 11)
    #expect(one.age?.begunAt.microsecondsSinceEpoch == 10)
    #expect(one.unreadable.map(\.id) == ["c"] && one.unreadableCount == 1)
    let quoted = try #require(syncs["O'Neil \"&\" 𝒳"])
    #expect(quoted.runs.map(\.result) == [.running] && quoted.listed == 1)
    #expect(quoted.age?.completeAt == nil && quoted.unreadableCount == 0)
    // Its run was made for another provider, in another configuration.
    #expect(syncs["other"]?.runs.isEmpty == true && syncs["other"]?.listed == 1)
    #expect(syncs["absent"]?.age == nil && syncs["absent"]?.listed == 0)

    let more = try await database.storedSyncs(of: .invoices, accounts: accounts, runs: 5)
    #expect(more["one"]?.runs.map(\.result) == [.failed, .complete])
    #expect(
      try await database.invoiceCounts(accounts: Array(accounts.keys))
        == ["one": 3, "O'Neil \"&\" 𝒳": 1, "other": 1])
    #expect(
      try await database.recordAges(of: .invoices, accounts: ["one", "absent"]).keys.sorted()
        == ["one"])
    let contacts = try await database.storedSyncs(of: .contacts, accounts: accounts, runs: 1)
    #expect(contacts["one"]?.runs.isEmpty == true && contacts["one"]?.listed == 0)
    try await database.close()
  }
}
