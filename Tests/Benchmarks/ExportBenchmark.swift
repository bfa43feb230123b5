import Foundation
import Models
import Storage
import TestSupport

/// The output of a synced database by the program: invoices as lines of JSON, compared with
/// transactions for plain-text accounting and with the messages of the Singer tap.
///
/// `APPCORE_BENCH_INVOICES` is how many invoices (100 000), `APPCORE_BENCH_ROUNDS` how often (3).
struct ExportBenchmark {
  private static let environment = ProcessInfo.processInfo.environment

  private let invoices = environment["APPCORE_BENCH_INVOICES"].flatMap { Int($0) } ?? 100_000
  private let rounds = environment["APPCORE_BENCH_ROUNDS"].flatMap { Int($0) } ?? 3
  private var table = ResultTable()

  mutating func run() async throws {
    let server = try await SampleServer.start([(.xero, 250)], invoices: invoices)
    let program = try await SignedInProgram.start(server.url)
    _ = try await program.run(["sync", "invoices"])
    await server.stop()
    let folder = try TemporaryDirectory()
    for round in 0..<rounds {
      for format in ["jsonl", "hledger", "ledger", "beancount"] {
        let run = try await program.run(["invoices", "export", "--format", format])
        table.add("export --format \(format)", run)
      }
      let all = try await program.run(["singer"])
      table.add("singer, everything", all)
      let state = try folder.write(try Self.lastState(in: all.output), to: "state.json")
      let none = try await program.run(["singer", "--state", state])
      table.add("singer, nothing changed", none)
      try await change(server.invoices[round], in: program.database)
      let one = try await program.run(["singer", "--state", state])
      table.add("singer, one changed", one)
      guard Self.invoices(in: all) == invoices, Self.invoices(in: none) == 0,
        Self.invoices(in: one) == 1
      else { throw WrongAnswer() }
    }
    program.stop()
    table.print(title: "\(invoices) invoices with 3 lines each, \(rounds) rounds")
  }

  private static func lastState(in messages: String) throws -> String {
    guard let last = messages.range(of: #"{"type":"STATE","value":"#, options: .backwards) else {
      throw WrongAnswer()
    }
    return String(messages[last.upperBound...].dropLast(2))
  }

  private static func invoices(in run: MeasuredProcess) -> Int {
    let record = Data(#"{"type":"RECORD","stream":"invoices""#.utf8)
    return Data(run.output.utf8).split(separator: UInt8(ascii: "\n"))
      .count { $0.starts(with: record) }
  }

  private func change(_ sample: SampleInvoice, in path: String) async throws {
    let database = try await LocalDatabase.open(at: path)
    let store = database.invoiceStore
    let instant = Timestamp(Date())
    let run = try await store.beginRun(
      RunStart(
        account: "default", provider: "xero", kind: .full, startedAt: instant, watermarkBefore: nil)
    )
    var invoice = sample.invoice
    invoice.reference = "changed \(instant)"
    invoice.updatedAt = instant
    var page = PendingPage(source: "xero:t", instant: instant)
    page.records = store.encode([invoice])
    _ = try await run.commit([page])
    try await database.close()
  }
}
