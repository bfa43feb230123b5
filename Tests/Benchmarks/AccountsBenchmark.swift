import Foundation
import Models
import Storage
import TestSupport

/// `status` of many accounts of one login, each with invoices and runs.
///
/// `APPCORE_BENCH_ACCOUNTS` is how many accounts (5 000).
struct AccountsBenchmark {
  private let accounts =
    ProcessInfo.processInfo.environment["APPCORE_BENCH_ACCOUNTS"].flatMap { Int($0) } ?? 5_000
  private let invoices = 40
  private let runs = 30

  func run() async throws {
    let keyring = try await PrivateKeyring.start()
    defer { keyring.stop() }
    let names = (0..<accounts).map { $0 == 0 ? "default" : "books-\($0)" }
    let others = names.dropFirst().map { "  \($0): { login: default, tenantID: \"\($0)\" }\n" }
    var environment = keyring.environment
    environment["APPCORE_CONFIG"] = try keyring.home.write(
      """
      accounts:
        default: { clientID: bench, tenantID: first }
      \(others.joined())
      """, to: "config.yaml")
    try await fill(keyring.home.file("data/appcore"), names)
    var table = ResultTable()
    for _ in 0..<5 {
      table.add(
        "status --json",
        try await MeasuredProcess.run(
          try ChildProcess.built("appcore"), ["status", "--json"], environment: environment,
          // Nobody is signed in.
          status: 1))
    }
    table.print(title: "\(accounts) accounts with \(invoices) invoices and \(runs) runs each")
  }

  private func fill(_ folder: String, _ names: [String]) async throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let samples = try SampleInvoices(count: names.count * invoices)
    let database = try await LocalDatabase.open(at: folder + "/appcore.sqlite")
    let store = database.invoiceStore
    for (index, name) in names.enumerated() {
      for number in 0..<runs {
        let instant = Timestamp(microsecondsSinceEpoch: Int64(number) * 86_400_000_000)
        let run = try await store.beginRun(
          RunStart(
            account: name, provider: "xero", kind: number == 0 ? .full : .incremental,
            startedAt: instant, watermarkBefore: number == 0 ? nil : instant))
        if number == 0 {
          var page = PendingPage(source: "sample", instant: instant)
          page.records = store.encode((0..<invoices).map { samples[index * invoices + $0].invoice })
          _ = try await run.commit([page])
        }
        try await run.end(
          RunEnd(result: .complete, watermark: instant, requests: 1, endedAt: instant))
      }
    }
    try await database.updateIndexes()
    try await database.close()
  }
}
