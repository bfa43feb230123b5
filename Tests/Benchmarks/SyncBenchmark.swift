import Foundation
import Models
import Storage
import TestSupport

/// A first sync, a full one and an incremental one beside the least that they can cost, and beside
/// a plain script.
struct SyncBenchmark {
  private let clock = ContinuousClock()
  private let invoices =
    ProcessInfo.processInfo.environment["APPCORE_BENCH_INVOICES"].flatMap { Int($0) } ?? 100_000

  func run() async throws {
    try await throughput()
    try await latency()
  }

  private func throughput() async throws {
    let pages = SyncPages(invoices: invoices, pageSize: 1_000)
    let server = try await NginxServer.start(files: pages.files)
    print("\n\(invoices) invoices with 3 lines each, \(pages.count) pages; medians of 3")
    var floors: [Double] = []
    var firsts: [Double] = []
    var fulls: [Double] = []
    var nothings: [Double] = []
    var scripts: [Double] = []
    var memory = 0.0
    for _ in 0..<3 {
      let folder = try TemporaryDirectory()
      floors.append(try await floor(server, pages, folder))
      let path = folder.file("sync.sqlite")
      let first = try await once(server, path, "changes", size: 1_000, ahead: 4, latency: 0)
      guard first.inserted == invoices else { throw WrongAnswer() }
      firsts.append(first.seconds)
      memory = max(memory, first.memory)
      let full = try await once(server, path, "full", size: 1_000, ahead: 4, latency: 0)
      guard full.unchanged == invoices else { throw WrongAnswer() }
      fulls.append(full.seconds)
      memory = max(memory, full.memory)
      nothings.append(
        try await once(server, path, "changes", size: 1_000, ahead: 4, latency: 0).seconds)
      scripts.append(try await script(server, pages, folder))
    }
    line("floor: curl of the pages, then one transaction of C", floors.median, floors.median)
    line("first sync", firsts.median, floors.median)
    line("full sync, nothing changed (to the first)", fulls.median, firsts.median)
    line("incremental sync, nothing changed", nothings.median, floors.median)
    line("plain Python script", scripts.median, floors.median)
    print(String(format: "  most memory resident: %.0f MiB", memory))
    await server.stop()
  }

  private func latency() async throws {
    let pages = SyncPages(invoices: min(invoices, 10_000), pageSize: 100)
    let server = try await NginxServer.start(files: pages.files)
    print(
      "\n\(pages.count) pages of 100 with 20 ms of latency each, a limit to the requests at once and none to "
        + "those of a minute; medians of 3")
    let ways = [
      ("one page after the other", "serial", 1), ("pages ahead, 4 at once", "changes", 4),
      ("pages ahead, 5 at once, as Xero allows", "changes", 5),
      ("pages ahead, 8 at once", "changes", 8),
    ]
    var times: [String: [Double]] = [:]
    for _ in 0..<3 {
      for (name, mode, ahead) in ways {
        let folder = try TemporaryDirectory()
        let report = try await once(
          server, folder.file("sync.sqlite"), mode, size: 100, ahead: ahead, latency: 20)
        guard report.inserted == pages.invoices else { throw WrongAnswer() }
        times[name, default: []].append(report.seconds)
      }
    }
    let serial = (times[ways[0].0] ?? []).median
    for (name, _, _) in ways { line(name, (times[name] ?? []).median, serial) }

    let program = try await ProgramBenchmark.start(server, invoices: pages.invoices)
    print("\nthe program itself, with a real keyring, nothing changed; median of 9")
    line("appcore sync invoices, start and end included", try await program.incremental(), serial)
    await server.stop()
  }

  private func line(_ name: String, _ seconds: Double, _ reference: Double) {
    print(
      "  " + name.padding(toLength: 54, withPad: " ", startingAt: 0)
        + String(format: "%8.3f s %8.2f x", seconds, seconds / reference))
    fflush(nil)
  }

  private func once(
    _ server: NginxServer, _ path: String, _ mode: String, size: Int, ahead: Int, latency: Int
  ) async throws -> SyncOnce.Report {
    let ending = try await ChildProcess(
      CommandLine.arguments[0],
      ["sync-once", server.url, path, mode, "\(size)", "\(ahead)", "\(latency)"], environment: [:]
    ).ending()
    guard ending.status == 0 else {
      print(ending.output, ending.errors)
      throw WrongAnswer()
    }
    return try JSONDecoder().decode(SyncOnce.Report.self, from: Data(ending.output.utf8))
  }

  private func floor(
    _ server: NginxServer, _ pages: SyncPages, _ folder: TemporaryDirectory
  ) async throws -> Double {
    let path = folder.file("floor.sqlite")
    try await LocalDatabase.open(at: path).close()
    guard let curl = ChildProcess.find("curl") else { throw WrongAnswer() }
    let start = clock.now
    let ending = try await ChildProcess(
      curl,
      [
        "-s", "-o", "/dev/null",
        "\(server.url)/api.xro/2.0/Invoices?page=[1-\(pages.count)]",
      ], environment: [:]
    ).ending()
    guard ending.status == 0 else { throw WrongAnswer() }
    let fetching = clock.now - start
    let inserting = try SyncFloor(database: path, invoices: pages.invoices).insert()
    return (fetching + inserting) / .seconds(1)
  }

  private func script(
    _ server: NginxServer, _ pages: SyncPages, _ folder: TemporaryDirectory
  ) async throws -> Double {
    // The system's, which has the system's packages.
    let python = "/usr/bin/python3"
    guard FileManager.default.isExecutableFile(atPath: python) else { return .nan }
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "plain-sync.py").path()
    let start = clock.now
    let ending = try await ChildProcess(
      python, [source, server.url, folder.file("script.sqlite"), "\(pages.count)"], environment: [:]
    ).ending()
    guard ending.status == 0 else {
      print(ending.errors)
      return .nan
    }
    return (clock.now - start) / .seconds(1)
  }
}
