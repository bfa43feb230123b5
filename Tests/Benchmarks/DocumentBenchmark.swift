import Foundation
import GRDBSQLite
import Sandbox
import TestSupport

/// The files of invoices, which the program fetches from a sandbox, compared with curl.
///
/// Both fetch the same PDFs of 100 KiB from the same server, 20 ms away, four at once, in turns.
/// Then come the run that finds 10 000 files unchanged, one file of 1 GiB, and a sync of invoices
/// beside files that arrive at a byte a second.
///
/// `APPCORE_BENCH_ROUNDS` is how often (5), `APPCORE_BENCH_DOCUMENTS` how many files are unchanged
/// (10 000).
struct DocumentBenchmark {
  private struct Report: Decodable {
    let stored: Int
    let unchanged: Int
    let requests: Int
  }

  private struct Token: Decodable {
    let accessToken: String
    enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
  }

  private static let environment = ProcessInfo.processInfo.environment
  private static let fetching = ["documents", "sync", "--kind", "pdf", "--json"]

  private let rounds = environment["APPCORE_BENCH_ROUNDS"].flatMap { Int($0) } ?? 5
  private let count = environment["APPCORE_BENCH_DOCUMENTS"].flatMap { Int($0) } ?? 10_000

  func run() async throws {
    try await transfer()
    try await unchanged()
    try await large()
    try await beside()
  }

  private func transfer() async throws {
    // Half of them are bills, which Xero does not render.
    let scene = try await Scene(invoices: 2_000, size: 100 << 10, latency: .milliseconds(20))
    var table = ResultTable()
    var files = 0
    for _ in 0..<rounds {
      try await scene.syncInvoices()
      let run = try await scene.program.run(Self.fetching)
      let report = try Self.report(run)
      files = report.stored
      try await table.add("curl --parallel --parallel-max 4", scene.curl(files: files))
      table.add("appcore documents sync", run)
    }
    table.print(title: "\(files) PDFs of 100 KiB with 20 ms of latency each, \(rounds) rounds")
    await scene.stop()
  }

  private func unchanged() async throws {
    let scene = try await Scene(invoices: count * 2 + count / 10, size: 0)
    try await scene.syncInvoices()
    var table = ResultTable()
    let first = try await scene.program.run(Self.fetching)
    let stored = try Self.report(first).stored
    table.add("the first run", first)
    for _ in 0..<9 {
      let run = try await scene.program.run(Self.fetching)
      let report = try Self.report(run)
      guard report.unchanged == stored, report.requests == 0 else { throw WrongAnswer() }
      table.add("the same again, unchanged", run)
      table.add("appcore --version", try await scene.program.run(["--version"]))
    }
    table.print(title: "\(stored) files, start and end of the program included")
    await scene.stop()
  }

  private func large() async throws {
    let scene = try await Scene(invoices: 40, size: 1 << 30)
    try await scene.syncInvoices()
    let number = try scene.text(
      "SELECT number FROM invoice WHERE type = 'invoice' AND status = 'paid' LIMIT 1")
    let run = try await scene.program.run(["documents", "save", number, "-o", scene.file("1.pdf")])
    var table = ResultTable()
    table.add("appcore documents save", run)
    table.print(title: "One PDF of 1 GiB")
    await scene.stop()
  }

  private func beside() async throws {
    let scene = try await Scene(invoices: 20_000, size: 1 << 10)
    try await scene.syncInvoices()
    let sync = ["sync", "invoices", "--full", "--quiet"]
    var table = ResultTable()
    for _ in 0..<rounds {
      table.add("appcore sync invoices --full", try await scene.program.run(sync))
      let before = await scene.server.statistics().faultsApplied
      scene.server.armFault(
        Fault(path: "/api.xro/2.0/Invoices/*", kind: .trickle, times: 1_000_000))
      let files = try scene.program.start(Self.fetching)
      try await eventually("four files are arriving") {
        await scene.server.statistics().faultsApplied >= before + 4
      }
      table.add("the same beside documents sync", try await scene.program.run(sync))
      files.send(SIGKILL)
      _ = await files.ending()
      scene.server.clearFaults()
    }
    table.print(title: "20 000 invoices read again, beside four files at a byte a second")
    await scene.stop()
  }

  private static func report(_ run: MeasuredProcess) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
  }

  /// A sandbox, and the program signed in at it.
  private struct Scene {
    let server: SandboxServer
    let program: SignedInProgram
    private let token: String
    private let folder: TemporaryDirectory
    private let curl: String

    init(invoices: Int, size: Int, latency: Duration = .zero) async throws {
      var configuration = SandboxConfiguration()
      configuration.source = .generated(invoices: invoices, seed: 7)
      configuration.documents.size = size
      configuration.latency = latency
      configuration.tokenLifetime = .seconds(86_400)
      server = try await SandboxServer.start(configuration)
      folder = try TemporaryDirectory()
      guard let curl = ChildProcess.find("curl") else { throw WrongAnswer() }
      self.curl = curl
      let answer = try await MeasuredProcess.run(
        curl,
        [
          "-s", "-f", "-u", "\(server.machineClientID):\(server.machineClientSecret)", "-d",
          "grant_type=client_credentials", "\(server.url)/connect/token",
        ])
      token = try JSONDecoder().decode(Token.self, from: Data(answer.output.utf8)).accessToken
      program = try await SignedInProgram.start(server.url.absoluteString, token: token)
    }

    func file(_ name: String) -> String { folder.file(name) }

    /// Stores the invoices and no file.
    func syncInvoices() async throws {
      try program.removeDatabase()
      let documents = URL(filePath: program.database).deletingLastPathComponent()
        .appending(path: "documents")
      if FileManager.default.fileExists(atPath: documents.relativePath) {
        try FileManager.default.removeItem(at: documents)
      }
      _ = try await program.run(["sync", "all", "--quiet"])
    }

    /// Fetches the files that are stored once more, and requires as many.
    func curl(files: Int) async throws -> MeasuredProcess {
      let target = folder.file("curl")
      try? FileManager.default.removeItem(atPath: target)
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
      let tenant = server.tenantIDs.first ?? ""
      var lines = [
        "header = \"Authorization: Bearer \(token)\"", "header = \"Accept: application/pdf\"",
        "header = \"Xero-Tenant-Id: \(tenant)\"",
      ]
      let sql = """
        SELECT group_concat(iif(type = 'credit-note', 'CreditNotes/', 'Invoices/') || invoice.id)
        FROM invoice JOIN document ON invoice_id = invoice.id AND state = 'stored'
        """
      for (index, path) in try text(sql).split(separator: ",").enumerated() {
        lines.append("url = \"\(server.url)/api.xro/2.0/\(path)\"")
        lines.append("output = \"\(target)/\(index).pdf\"")
      }
      let options = try folder.write(lines.joined(separator: "\n"), to: "options")
      let run = try await MeasuredProcess.run(
        curl, ["-s", "-f", "--parallel", "--parallel-max", "4", "-K", options])
      guard try FileManager.default.contentsOfDirectory(atPath: target).count == files else {
        throw WrongAnswer()
      }
      return run
    }

    /// Returns the value of a query.
    func text(_ sql: String) throws -> String {
      var connection: OpaquePointer?
      var statement: OpaquePointer?
      defer {
        sqlite3_finalize(statement)
        sqlite3_close(connection)
      }
      guard
        sqlite3_open_v2(program.database, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
        sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK,
        sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
      else { throw WrongAnswer() }
      return String(cString: text)
    }

    func stop() async {
      program.stop()
      await server.stop()
    }
  }
}
