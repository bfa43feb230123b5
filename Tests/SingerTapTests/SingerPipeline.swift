import Foundation
import JSONReading
import Models
import Presentation
import Storage
import TestSupport
import Testing

@testable import SingerTap

/// A target that stores rows in a database.
enum SingerTarget: String, CaseIterable, CustomTestStringConvertible {
  case postgres, duckdb

  static let environment = ProcessInfo.processInfo.environment

  /// The number of changes of a proof; `nil` outside of one.
  static let steps = environment["APPCORE_SINGER"].flatMap { Int($0) }
  static let port = environment["APPCORE_SINGER_POSTGRES"]
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

  /// Returns a program of a virtual environment; `nil` if it is not installed.
  static func program(_ name: String, of environment: String) -> String? {
    let path = "\(root).build/singer-\(environment)/bin/\(name)"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  var testDescription: String { rawValue }

  var program: String? { Self.program("target-\(rawValue)", of: rawValue) }

  var isInstalled: Bool { program != nil && (self == .duckdb || Self.port != nil) }

  /// The configuration of the target.
  func configuration(in folder: TemporaryDirectory, schema: String) -> String {
    switch self {
    case .postgres:
      """
      {"host": "127.0.0.1", "port": \(Self.port ?? "0"), "user": "appcore", "password": "none",
       "database": "postgres", "default_target_schema": "\(schema)", "activate_version": true,
       "add_record_metadata": true}
      """
    case .duckdb:
      """
      {"filepath": "\(folder.file("warehouse.duckdb"))", "default_target_schema": "\(schema)",
       "add_metadata_columns": true}
      """
    }
  }
}

/// The tap with a target, in a folder of its own.
struct SingerPipeline {
  let folder: TemporaryDirectory
  private let target: SingerTarget?
  private let schema = "s\(UUID().uuidString.lowercased().prefix(8))"

  init(_ target: SingerTarget?, over fixture: TapFixture) throws {
    self.target = target
    folder = try TemporaryDirectory()
    try follow(fixture)
    _ = try folder.write(
      "{\"config_file\": \"\(folder.file("appcore.yaml"))\"}", to: "tap.json")
    _ = try folder.write(TapFixture.everything, to: "catalog.json")
    try setState("{}")
    if let target {
      _ = try folder.write(target.configuration(in: folder, schema: schema), to: "target.json")
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("tap-appcore"), withDestinationPath: try ChildProcess.built("appcore"))
  }

  /// The state of which the next run goes on.
  var state: String {
    get throws { try String(contentsOfFile: folder.file("state.json"), encoding: .utf8) }
  }

  func setState(_ state: String) throws { _ = try folder.write(state, to: "state.json") }

  /// Makes the next run read another database.
  func follow(_ fixture: TapFixture) throws {
    // Until each list of the provider was read to its end, a target drops nothing.
    _ = try folder.write(
      """
      database: \(fixture.database.path)
      provider: acme
      providers:
        acme:
          kind: rest
          baseURL: http://127.0.0.1:9/none
          resources:
            invoices: { path: /invoices, rows: ., fields: { id: id, type: { value: invoice },
              status: { value: open }, currency: { value: EUR }, total: total } }

      """, to: "appcore.yaml")
  }

  func shell(_ script: String) async throws -> ChildProcess.Ending {
    // Those with which Meltano installs packages.
    let installation = SingerTarget.environment.filter { name, _ in
      ["UV_", "PIP_", "SSL_CERT_", "HTTP_", "HTTPS_", "NO_PROXY"].contains {
        name.uppercased().hasPrefix($0)
      }
    }
    let own = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8"]
    return try await ChildProcess(
      "/bin/bash", ["-c", "cd \(folder.path)\n" + script],
      environment: installation.merging(own) { $1 }
    ).ending()
  }

  /// Runs the tap and the target, and keeps the target's last state.
  ///
  /// - Parameters:
  ///   - program: the program that is killed, the tap or the target; `nil` for none.
  ///   - time: the time after which it is killed.
  func run(killing program: String? = nil, after time: Duration = .zero) async throws {
    let kill = program.map { program in
      """
      sleep \(time / .seconds(1))
      kill -9 $\(program) 2>/dev/null || true
      """
    }
    let ending = try await shell(
      """
      set -m
      mkfifo pipe
      ./tap-appcore --config tap.json --catalog catalog.json --state state.json > pipe &
      appcore=$!
      \(target?.program ?? "false") --config target.json < pipe > states &
      target=$!
      \(kill ?? "")
      wait $appcore; tapped=$?
      wait $target; loaded=$?
      rm pipe
      tail -n 1 states > last
      [ ! -s last ] || mv last state.json
      exit $((tapped + loaded))
      """)
    if program == nil { #expect(ending.status == 0, "\(ending.errors.suffix(3_000))") }
  }

  /// Compares the tables of the target with an export, field by field, and the guide's joins with
  /// the lists of invoices.
  ///
  /// - Parameter keepsRows: true for a target that drops no row of a state that was lost.
  func compare(with fixture: TapFixture, keepsRows: Bool = false) async throws {
    let exported = try await fixture.exported()
    var queries = exported.mapValues { _ in "" }
    for table in queries.keys { queries[table] = "SELECT * FROM \(table)" }
    for list in TapFixture.lists.keys { queries["join \(list)"] = try GuideQueries.join(list) }
    let found = try await rows(queries)
    let invoices = found["invoices"] ?? [:]
    for (table, documents) in exported {
      var rows = found[table] ?? [:]
      let isList = TapFixture.lists[table] != nil
      if isList { rows = TapFixture.current(rows, of: invoices) { $0[$1] ?? nil } }
      for (key, expected) in documents {
        guard let row = rows.removeValue(forKey: key) else {
          Issue.record("\(table) lacks \(key)")
          continue
        }
        for (column, value) in zip(expected.names, expected.values) {
          let found = row[column] ?? nil
          #expect(
            Self.isSame(value, found), "\(table) \(key) \(column): \(value) is \(found ?? "null")")
        }
        #expect((row["_sdc_deleted_at"] ?? nil) == nil || (row["deleted_at"] ?? nil) != nil)
      }
      // Whatever else the target has is marked as deleted.
      for (key, row) in rows where !keepsRows {
        #expect((row["_sdc_deleted_at"] ?? nil) != nil, "\(table) \(key)")
      }
      guard isList, !keepsRows else { continue }
      let stored = Set(documents.filter { $0.value["deleted_at"] == .null }.keys)
      #expect(Set((found["join \(table)"] ?? [:]).keys) == stored, "\(table)")
    }
  }

  /// Requires that the guide's query of what is owed finds in PostgreSQL what the summary adds up.
  func compareDue(with fixture: TapFixture) async throws {
    let ending = try await postgres(GuideQueries.due)
    try #require(ending.status == 0, "\(ending.errors)")
    var found: [String: DecimalSum] = [:]
    for row in ending.output.split(separator: "\n") {
      let fields = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let due = fields[3].isEmpty ? .zero : DecimalSum(fields[3])
      found["\(fields[0]) \(fields[2])", default: .zero].add(try #require(due))
    }
    var expected: [String: DecimalSum] = [:]
    for totals in try await fixture.database.totals(matching: InvoiceQuery(), by: .contact) {
      guard [.invoice, .creditNote].contains(totals.type),
        case .contact(let id, let name) = totals.group
      else { continue }
      let due = totals.type == .invoice ? totals.amountDue : totals.amountDue.negated
      expected["\(id ?? name ?? "") \(totals.currency)", default: .zero].add(due)
    }
    #expect(found.filter { !$0.value.isZero } == expected.filter { !$0.value.isZero })
  }

  private func postgres(_ sql: String) async throws -> ChildProcess.Ending {
    _ = try folder.write("SET search_path TO \(schema);\n\(sql)", to: "query.sql")
    return try await shell(
      """
      psql -h 127.0.0.1 -p \(SingerTarget.port ?? "0") -U appcore -d postgres -qAt -F $'\\t' \
        -f query.sql
      """)
  }

  /// Returns true if a target has stored a value, of which it shows a text.
  private static func isSame(_ value: JSONValue, _ text: String?) -> Bool {
    guard let text else { return value == .null }
    switch value {
    case .null: return false
    case .text(let value):
      // A target may show the same number or instant in another form.
      if value == text { return true }
      if let number = ExactDecimal(value), let found = ExactDecimal(text) {
        return number.normalized == found.normalized
      }
      let instant = text.replacing(" ", with: "T")
      return Timestamp(value) != nil
        && [instant, instant + "Z"].contains { Timestamp($0) == Timestamp(value) }
    case .object, .list:
      var reader = JSONReader(Array(text.utf8))
      return (try? reader.readValue()) == value
    default: return value.word == text
    }
  }

  /// Returns the rows that queries find, by the names of the queries and the keys of the rows; none
  /// of a table that the target has not made yet.
  private func rows(
    _ queries: [String: String]
  ) async throws -> [String: [String: [String: String?]]] {
    let ending =
      switch target {
      case .postgres:
        try await postgres(
          queries.map { name, query in
            """
            SELECT '\(name)',
              (SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(to_jsonb(t)))
            FROM (\(query)) AS t;
            """
          }.joined(separator: "\n"))
      case .duckdb:
        try await shell(
          """
          \(SingerTarget.program("python", of: "duckdb") ?? "false") \
            \(SingerTarget.root)Tests/Singer/rows.py warehouse.duckdb \(schema) \
            '\(JSONText.encode(queries))'
          """)
      case nil: throw CocoaError(.featureUnsupported)
      }
    let others = ending.errors.split(separator: "\n").filter {
      $0.contains("ERROR") && !$0.contains("does not exist")
    }
    try #require(ending.status == 0 && others.isEmpty, "\(ending.errors)")
    var found: [String: [String: [String: String?]]] = [:]
    for line in ending.output.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      let row = try JSONDecoder().decode([String: String?].self, from: Data(parts[1].utf8))
      let key = try #require(TapFixture.key { row[$0] ?? nil })
      #expect(found[String(parts[0]), default: [:]].updateValue(row, forKey: key) == nil)
    }
    return found
  }
}
