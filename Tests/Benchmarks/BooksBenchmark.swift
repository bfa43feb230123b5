import Foundation
import GRDBSQLite
import TestSupport

/// The first sync of whole books by the program, compared with that of the invoices alone.
///
/// They take turns, each with a database of its own that is checked; a sync of the unchanged books
/// follows.
///
/// `APPCORE_BENCH_INVOICES` is how many invoices (100 000), `APPCORE_BENCH_ROUNDS` how often (3).
struct BooksBenchmark {
  private struct Reports: Decodable {
    let reports: [Report]
  }

  private struct Report: Decodable {
    let resource: String
    let result: String
    let inserted: Int
    let requests: Int
  }

  private static let environment = ProcessInfo.processInfo.environment

  private let rounds = environment["APPCORE_BENCH_ROUNDS"].flatMap { Int($0) } ?? 3
  private let books: SampleBooks
  private var table = ResultTable()
  /// The requests of each list in an unchanged sync.
  private var requests: [String: Int] = [:]

  init() throws {
    let count = Self.environment["APPCORE_BENCH_INVOICES"].flatMap { Int($0) } ?? 100_000
    books = SampleBooks(invoices: try SampleInvoices(count: count))
  }

  mutating func run() async throws {
    let bare = try await SampleServer.start([(.xero, 250)], invoices: books.counts.invoices)
    let whole = try await Self.serve(books)
    let alone = try await SignedInProgram.start(bare.url)
    let program = try await SignedInProgram.start(whole.server.url)
    for _ in 0..<rounds {
      try await first(alone, ["invoices"], "invoices alone", payments: 0)
      try await first(program, ["invoices"], "invoices with their payments inside", payments: 0)
      try await first(program, ["all"], "invoices, payments, credit notes, contacts")
      try await unchanged(program)
    }
    table.print(
      title: """
        First sync of \(books.counts.invoices) invoices; \(books.counts.payments) payments, \
        \(books.counts.creditNotes) credit notes, \(books.counts.contacts) contacts; \(rounds) rounds
        """)
    let lists = requests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print(
      "\nRequests of an unchanged sync: \(requests.values.reduce(0, +)) "
        + "(\(lists.joined(separator: ", ")))")
    for program in [alone, program] { program.stop() }
    await bare.stop()
    await whole.server.stop()
  }

  private static func serve(
    _ books: SampleBooks
  ) async throws -> (server: NginxServer, folder: TemporaryDirectory) {
    let folder = try TemporaryDirectory()
    try SampleServer.writeOrganisation(to: folder)
    try books.write(to: folder.path)
    var options = NginxServer.Options()
    options.root = folder.path
    return (try await NginxServer.start(options, files: [:]), folder)
  }

  private mutating func first(
    _ program: SignedInProgram, _ lists: [String], _ name: String, payments: Int? = nil
  ) async throws {
    try program.removeDatabase()
    let run = try await program.run(["sync"] + lists + ["--json"])
    table.add(name, run)
    var expected = books.counts
    if payments == 0 { expected = SampleBooks.Counts(invoices: books.counts.invoices) }
    let found = try Self.stored(in: program.database)
    guard found == expected else {
      print("\(name): found \(found), expected \(expected)")
      throw WrongAnswer()
    }
  }

  private mutating func unchanged(_ program: SignedInProgram) async throws {
    let run = try await program.run(["sync", "all", "--json"])
    table.add("the same again, unchanged", run)
    let reports = try JSONDecoder().decode(Reports.self, from: Data(run.output.utf8)).reports
    guard reports.allSatisfy({ $0.result == "complete" && $0.inserted == 0 }) else {
      throw WrongAnswer()
    }
    requests = Dictionary(reports.map { ($0.resource, $0.requests) }) { $0 + $1 }
  }

  /// Counts the records, and checks that each payment and credit note settles one invoice.
  private static func stored(in path: String) throws -> SampleBooks.Counts {
    var connection: OpaquePointer?
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
      throw WrongAnswer()
    }
    defer { sqlite3_close(connection) }
    func count(_ source: String) throws -> Int {
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      let sql = "SELECT count(*) FROM \(source)"
      guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK,
        sqlite3_step(statement) == SQLITE_ROW
      else { throw WrongAnswer() }
      return Int(sqlite3_column_int64(statement, 0))
    }
    let counts = SampleBooks.Counts(
      invoices: try count("invoice WHERE list IS NULL"), payments: try count("payment"),
      creditNotes: try count("invoice WHERE list IS NOT NULL"), contacts: try count("contact"))
    guard try count("payment_allocation") == counts.payments,
      try count("credit_allocation") == counts.creditNotes
    else { throw WrongAnswer() }
    return counts
  }
}
