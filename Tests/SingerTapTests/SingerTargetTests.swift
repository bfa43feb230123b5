import Foundation
import Models
import Storage
import SyncSupport
import TestSupport
import Testing

/// The program `appcore singer` with real targets, which `Config/scripts/prove singer` installs.
@Suite(
  .serialized, .timeLimit(.minutes(60)),
  .enabled(if: SingerTarget.steps != nil, "Config/scripts/prove singer runs them"))
struct SingerTargetTests {
  @Test(
    "after random changes, a run after each, the tables equal the export",
    arguments: SingerTarget.allCases.filter(\.isInstalled))
  func changes(target: SingerTarget) async throws {
    var fixture = try await TapFixture(seed: 11)
    let pipeline = try SingerPipeline(target, over: fixture)
    for _ in 0..<(SingerTarget.steps ?? 0) {
      try await fixture.change()
      try await pipeline.run()
      try await pipeline.compare(with: fixture)
    }
    // Amounts are texts in DuckDB.
    if target == .postgres { try await pipeline.compareDue(with: fixture) }
  }

  @Test(
    "a tap or a target that is killed anywhere leaves a state to go on from",
    arguments: SingerTarget.allCases.filter(\.isInstalled))
  func killed(target: SingerTarget) async throws {
    var fixture = try await TapFixture(seed: 12)
    var random = SeededRandom(seed: 12, part: 1)
    let pipeline = try SingerPipeline(target, over: fixture)
    for _ in 0..<((SingerTarget.steps ?? 0) / 2) {
      for _ in 0..<5 { try await fixture.change() }
      let program = random.chance(50) ? "appcore" : "target"
      // The tap of so small a database ends after some tenths of a second.
      let delay = random.below(program == "target" ? 3_000 : 200)
      try await pipeline.run(killing: program, after: .milliseconds(delay))
      try await pipeline.run()
      try await pipeline.compare(with: fixture)
    }
  }

  @Test(
    "a state that is lost, of another database or of later leaves the rows of this database alone",
    arguments: SingerTarget.allCases.filter(\.isInstalled))
  func unusableState(target: SingerTarget) async throws {
    var fixture = try await TapFixture(seed: 15)
    let pipeline = try SingerPipeline(target, over: fixture)
    for _ in 0..<20 { try await fixture.change() }
    try await pipeline.run()
    let number = #/"replication_key_value": ?\d+/#
    let later = try pipeline.state.replacing(number, with: #""replication_key_value":1000000"#)
    #expect(try later != pipeline.state)
    for state in ["{}", later] {
      for _ in 0..<5 { try await fixture.change() }
      try await fixture.store([Invoice](), in: fixture.database.invoiceStore)
      try pipeline.setState(state)
      try await pipeline.run()
      // This target ignores ACTIVATE_VERSION: it keeps the rows of an account that was forgotten
      // since the state, and those of another database.
      try await pipeline.compare(with: fixture, keepsRows: target == .duckdb)
    }
    guard target != .duckdb else { return }
    var other = try await TapFixture(seed: 16)
    for _ in 0..<20 { try await other.change() }
    try await other.store([Invoice](), in: other.database.invoiceStore)
    try pipeline.follow(other)
    try await pipeline.run()
    try await pipeline.compare(with: other)
  }

  @Test("Meltano runs the project of the guide, and its second run sends nothing")
  func meltano() async throws {
    guard let meltano = SingerTarget.program("meltano", of: "meltano") else { return }
    var fixture = try await TapFixture(seed: 13)
    for _ in 0..<30 { try await fixture.change() }
    let pipeline = try SingerPipeline(nil, over: fixture)
    let project = try GuideQueries.code("yaml", "default_environment")
    _ = try pipeline.folder.write(project, to: "meltano.yml")
    var counts: [String] = []
    for _ in 0..<2 {
      let ending = try await pipeline.shell(
        """
        set -e
        export PATH="$PWD:$PATH" TAP_APPCORE_CONFIG_FILE="$PWD/appcore.yaml"
        export MELTANO_SEND_ANONYMOUS_USAGE_STATS=false
        [ -e installed ] || \(meltano) install >&2
        touch installed
        \(meltano) run tap-appcore target-jsonl >&2
        cat *.jsonl | wc -l
        """)
      #expect(ending.status == 0, "\(ending.errors)")
      counts.append(ending.output)
    }
    #expect(counts[0] == counts[1] && counts[0] != "0\n", "\(counts)")
  }

  @Test("DuckDB writes the Parquet file of the guide, with exact amounts")
  func parquet() async throws {
    guard let python = SingerTarget.program("python", of: "parquet") else { return }
    var fixture = try await TapFixture(seed: 14)
    for _ in 0..<30 { try await fixture.change() }
    let pipeline = try SingerPipeline(nil, over: fixture)
    let sql = try GuideQueries.code("sql", "INSTALL ")
    _ = try pipeline.folder.write(
      sql.replacing("'appcore.sqlite'", with: "'\(fixture.database.path)'"), to: "parquet.sql")
    _ = try pipeline.folder.write(
      """
      import pathlib, duckdb, duckdb_ext
      # INSTALL would fetch it from DuckDB's server.
      folder = pathlib.Path(list(duckdb_ext.__path__)[0])
      extension = next(folder.rglob("sqlite_scanner.duckdb_extension"))
      sql = open("parquet.sql").read()
      duckdb.execute(sql.replace("INSTALL sqlite; LOAD sqlite;", f"LOAD '{extension}';"))
      print(*duckdb.execute("SELECT id, account, total FROM 'invoices.parquet'").fetchall())
      """, to: "parquet.py")
    let ending = try await pipeline.shell("\(python) parquet.py")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("Decimal('12345678901234567.890000')"), "\(ending.output)")
    #expect(ending.output.contains("Decimal('0.000001')"))
  }
}
