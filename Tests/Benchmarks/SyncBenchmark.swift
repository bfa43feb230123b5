import Foundation
import TestSupport

/// First, full and incremental syncs of the sample invoices, compared with their minimal cost and
/// with other programs, in alternation; every database is checked.
///
/// `APPCORE_BENCH_INVOICES` is how many (100 000), `APPCORE_BENCH_ROUNDS` how often (3),
/// `APPCORE_BENCH_PEERS` which of `appcore,python,dlt`.
struct SyncBenchmark {
  private static let environment = ProcessInfo.processInfo.environment
  private static let python = ".build-bench/venv/bin/python3"

  private let invoices = environment["APPCORE_BENCH_INVOICES"].flatMap { Int($0) } ?? 100_000
  private let rounds = environment["APPCORE_BENCH_ROUNDS"].flatMap { Int($0) } ?? 3
  private let peers = environment["APPCORE_BENCH_PEERS"] ?? "appcore,python,dlt"
  private var table = ResultTable()

  mutating func run() async throws {
    try await throughput()
    try await latency()
  }

  private mutating func throughput() async throws {
    let server = try await SampleServer.start(
      [(.xero, 100), (.xero, 250), (.plain, 250)], invoices: invoices)
    for _ in 0..<rounds {
      try await floor(server)
      if peers.contains("appcore") {
        try await syncs(server, .xero, size: 250, "appcore, Xero, pages of 250")
        try await syncs(server, .xero, size: 100, "appcore, Xero, pages of 100")
        try await syncs(server, .plain, size: 250, "appcore, described, pages of 250")
      }
      if peers.contains("python") {
        try await script("fast-sync.py", server, "fast Python script", .appcore)
        try await script("plain-sync.py", server, "plain Python script", .plain)
      }
      if peers.contains("dlt") { try await script("dlt-sync.py", server, "dlt", .dlt) }
    }
    table.print(title: "\(invoices) invoices with 3 lines each, \(rounds) rounds")
    await server.stop()
  }

  private mutating func floor(_ server: SampleServer) async throws {
    let folder = try TemporaryDirectory()
    guard let curl = ChildProcess.find("curl") else { throw WrongAnswer() }
    let fetching = try await MeasuredProcess.run(
      curl,
      [
        "-s", "-f", "-o", "/dev/null",
        "\(server.url)/api.xro/2.0/Invoices?pageSize=250&page=[1-\(server.pages(of: 250))]",
      ])
    let path = folder.file("floor.sqlite")
    let inserting = try SyncFloor(database: path, invoices: server.invoices).insert()
    try StoredTotals.require(server.totals, in: path, .appcore)
    table.add(
      "floor: curl, then C in one transaction",
      MeasuredProcess(
        seconds: fetching.seconds + inserting / .seconds(1),
        processorSeconds: fetching.processorSeconds + inserting / .seconds(1), memory: 0,
        output: ""))
  }

  private mutating func syncs(
    _ server: SampleServer, _ shape: SamplePages.Shape, size: Int, _ name: String
  ) async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("sync.sqlite")
    print(name)
    for (mode, what) in [
      ("changes", "first, searchable"), ("full", "full, unchanged"), ("changes", "incremental"),
    ] {
      let (run, report) = try await once(server, path, shape, mode, size: size)
      guard what.hasPrefix("first") ? report.inserted == invoices : report.inserted == 0 else {
        throw WrongAnswer()
      }
      if what.hasPrefix("first") {
        table.add("\(name): first, rows durable", run, seconds: report.durable)
      }
      table.add("\(name): \(what)", run)
      try StoredTotals.require(server.totals, in: path, .appcore)
    }
  }

  private mutating func script(
    _ script: String, _ server: SampleServer, _ name: String, _ tables: StoredTotals.Tables
  ) async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("script.sqlite")
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Peers/\(script)").path(percentEncoded: false)
    let arguments = [source, server.url, path, "\(server.pages(of: 250))", "250"]
    let environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    table.add(
      name,
      try await MeasuredProcess.run(Self.python, arguments, environment: environment))
    try StoredTotals.require(server.totals, in: path, tables)
    guard script == "fast-sync.py" else { return }
    table.add(
      "\(name): again",
      try await MeasuredProcess.run(Self.python, arguments, environment: environment))
    try StoredTotals.require(server.totals, in: path, tables)
  }

  private mutating func latency() async throws {
    let server = try await SampleServer.start(
      [(.xero, 100), (.xero, 250)], invoices: min(invoices, 10_000))
    var table = ResultTable()
    let ways = [
      ("one page after the other", "serial", 1), ("4 at once", "changes", 4),
      ("5 at once, as Xero allows", "changes", 5), ("8 at once", "changes", 8),
    ]
    for _ in 0..<rounds {
      for (name, mode, ahead) in ways {
        let folder = try TemporaryDirectory()
        let (run, report) = try await once(
          server, folder.file("sync.sqlite"), .xero, mode, size: 100, ahead: ahead, latency: 20)
        guard report.inserted == server.invoices.count else { throw WrongAnswer() }
        table.add(name, run)
      }
    }
    table.print(title: "\(server.pages(of: 100)) pages of 100 with 20 ms of latency each")
    let program = try await ProgramBenchmark.start(server.url, invoices: server.invoices.count)
    let incremental = try await program.incremental()
    print(
      String(
        format:
          "\nThe program with a real keyring, nothing changed, start and end included: %.3f s",
        incremental))
    await server.stop()
  }

  private func once(
    _ server: SampleServer, _ path: String, _ shape: SamplePages.Shape, _ mode: String, size: Int,
    ahead: Int = 4, latency: Int = 0
  ) async throws -> (MeasuredProcess, SyncOnce.Report) {
    let run = try await MeasuredProcess.run(
      CommandLine.arguments[0],
      [
        "sync-once", server.url, path, shape.rawValue, mode, "\(size)", "\(ahead)", "\(latency)",
      ])
    return (run, try JSONDecoder().decode(SyncOnce.Report.self, from: Data(run.output.utf8)))
  }
}
