import ErrorCodes
import Foundation
import Models
import Sandbox
import TestSupport
import Testing

@testable import AppCoreCommands

/// The commands for the files of invoices, against a sandbox.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DocumentsCommandTests {
  /// The invoices of the longest tests; `APPCORE_DOCUMENT_INVOICES` sets more.
  private static let count =
    ProcessInfo.processInfo.environment["APPCORE_DOCUMENT_INVOICES"].flatMap { Int($0) } ?? 40

  /// Returns a home whose account is signed in at a sandbox, with all invoices stored.
  func scene(
    _ provider: SandboxProvider = .stripe, invoices: Int = 40,
    accounts: String = "default: { provider: stripe }", documents: String = "{}"
  ) async throws -> (fixture: CommandFixture, server: SandboxServer) {
    var configuration = SandboxConfiguration()
    configuration.provider = provider
    configuration.source = .generated(invoices: invoices, seed: 7)
    let server = try await SandboxServer.start(configuration)
    CleanUp.atEnd { await server.stop() }
    let fixture = try CommandFixture()
    let secret = try fixture.home.write(server.machineClientSecret, to: "secret")
    let yaml = """
      accounts: { \(accounts) }
      documents: \(documents)
      defaultAccount: default
      sessions: { documents: { retry: { baseDelay: 1ms } } }
      providers:
        stripe: { baseURL: "\(server.url)" }
        xero: { baseURL: "\(server.url)", tokenURL: "\(server.url)/connect/token" }
        acme:
          kind: rest
          baseURL: \(server.url)/none
          resources:
            invoices: { path: /invoices, rows: ., fields: { id: id, type: { value: invoice },
              status: { value: open }, currency: { value: EUR }, total: total } }
      """
      .replacing("{machine}", with: server.machineClientID).replacing("{secret}", with: secret)
    _ = try fixture.home.write(yaml, to: "config/appcore/config.yaml")
    let login =
      provider == .xero
      ? await fixture.run("login", "--client-credentials")
      : await fixture.run("login", "--token-stdin", input: "sk_live_1")
    #expect(login.status == .done, "\(login.errors)")
    let sync = await fixture.run("sync", "all", "--account", "default")
    #expect(sync.status == .done, "\(sync.errors)")
    return (fixture, server)
  }

  /// The number of PDFs that Stripe has of what a run looks at.
  private func files(_ fixture: CommandFixture) async throws -> Int {
    let dry = await fixture.run("documents", "sync", "--dry-run", "--json")
    #expect(dry.status == .done)
    let document = try dry.document()
    #expect(document["result"] as? String == "dry-run")
    return try #require(document["stored"] as? Int)
  }

  static func rows(_ ending: CommandFixture.Ending) throws -> [[String: Any]] {
    try #require(try ending.document()["documents"] as? [[String: Any]])
  }

  @Test("sync fetches, list shows, and a second sync fetches nothing")
  func syncAndList() async throws {
    let (fixture, _) = try await scene()
    let count = try await files(fixture)
    // Nobody has tried to fetch them yet.
    let missing = try Self.rows(await fixture.run("documents", "list", "--missing", "--json"))
    #expect(missing.count == count && missing.allSatisfy { $0["state"] as? String == "missing" })
    let none = await fixture.run("documents", "list", "--failed")
    #expect(none.errors.contains("appcore documents sync"), "\(none.errors)")
    let first = await fixture.run("documents", "sync")
    #expect(first.status == .done && first.output.hasPrefix("Fetched \(count) files ("))
    let second = await fixture.run("documents", "sync")
    #expect(second.status == .done)
    #expect(
      second.output.hasPrefix("Nothing fetched, \(count) unchanged, 1 not available (0 requests, "),
      "\(second.output)")
    #expect(await fixture.run("documents", "list", "--missing").output.isEmpty)
    let quiet = await fixture.run("documents", "sync", "--quiet")
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
    let list = await fixture.run("documents", "list")
    let header = try #require(list.output.split(separator: "\n").first)
    #expect(
      header.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        == ["NUMBER", "DATE", "KIND", "NAME", "SIZE", "STATE"])
    let rows = try Self.rows(await fixture.run("documents", "list", "--json"))
    #expect(rows.count == count)
    for row in rows {
      #expect(row["state"] as? String == "stored" && row["kind"] as? String == "pdf")
      let path = try #require(row["path"] as? String)
      let data = try Data(contentsOf: URL(filePath: path))
      #expect(data.starts(with: Data("%PDF-".utf8)) && data.count == row["size"] as? Int)
    }
    let again = try await fixture.run("documents", "sync", "--json", "--refresh", "all").document()
    #expect(again["stored"] as? Int == count && again["result"] as? String == "complete")
    #expect(again["failed"] as? Int == 0 && again["retryAt"] is NSNull)
  }

  @Test("what is wrong is named with its number, ends with 65, and is listed as failed")
  func failures() async throws {
    let (fixture, server) = try await scene(invoices: 12)
    let count = try await files(fixture)
    server.armFault(Fault(path: "/d/*", kind: .html))
    let ending = await fixture.run("documents", "sync")
    #expect(ending.status == .unreadableData && ending.output.contains("1 failed"))
    #expect(ending.errors.contains("it is no PDF, but a web page"), "\(ending.errors)")
    let failed = try Self.rows(await fixture.run("documents", "list", "--failed", "--json"))
    #expect(failed.count == 1 && failed.first?["errorCode"] as? String == "unreadable-data")
    let number = try #require(failed.first?["invoiceNumber"] as? String)
    #expect(ending.errors.contains("\(number) pdf: "), "\(ending.errors)")
    let shown = await fixture.run("documents", "list", "--failed")
    #expect(shown.output.contains("failed: unreadable-data"))
    server.armFault(Fault(path: "/d/*", kind: .malformed))
    let json = await fixture.run("documents", "sync", "--json")
    #expect(json.status == .unreadableData)
    #expect(try json.failure()["code"] as? String == "unreadable-data")
    let document = try json.document()
    #expect(document["result"] as? String == "partial")
    #expect((document["failures"] as? [Any])?.count == 1)
    #expect(await fixture.run("documents", "sync").status == .done)
    #expect(await fixture.run("documents", "list", "--failed").output.isEmpty)
    #expect(try Self.rows(await fixture.run("documents", "list", "--json")).count == count)
  }

  @Test("--limit ends with 75 and names the command that goes on")
  func limit() async throws {
    let (fixture, _) = try await scene()
    let ending = await fixture.run("documents", "sync", "--limit", "2")
    #expect(ending.status == .tryAgainLater && ending.output.hasPrefix("Fetched 2 files"))
    #expect(ending.errors.contains("appcore documents sync"), "\(ending.errors)")
    let document = await fixture.run("documents", "sync", "--limit", "1", "--json")
    #expect(try document.document()["ending"] as? String == "limit")
    #expect(try document.failure()["code"] as? String == "budget-spent")
    let kind = await fixture.run(
      "documents", "sync", "--kind", "pdf", "--from", "2000", "--min=-5", "--all", "--limit", "1")
    #expect(
      kind.errors.contains(
        "appcore documents sync --kind pdf --min=-5 --from 2000-01-01 --all\n"), "\(kind.errors)")
    for words in [["--limit", "0"], ["--kind", "png"], ["--refresh", "some"]] {
      #expect(await fixture.run(["documents", "sync"] + words).status == .usage)
    }
  }

  @Test("a missing permission ends with 77 and names it, and the PDFs are there")
  func permission() async throws {
    let (fixture, _) = try await scene(
      .xero,
      accounts: """
        default: { provider: xero, clientID: {machine}, clientSecretFile: {secret}, scopes: [
          accounting.invoices.read, accounting.payments.read, accounting.contacts.read ] }
        """)
    let ending = await fixture.run("documents", "sync")
    #expect(ending.status == .signInRequired && ending.output.hasPrefix("Fetched "))
    #expect(ending.errors.contains("accounting.attachments.read"), "\(ending.errors)")
    let rows = try Self.rows(await fixture.run("documents", "list", "--json"))
    #expect(!rows.isEmpty && rows.allSatisfy { $0["kind"] as? String == "pdf" })
    let document = try await fixture.run("documents", "sync", "--json").document()
    let denied = try #require(document["denied"] as? [[String: Any]])
    #expect(denied.map { $0["kind"] as? String } == ["attachment"])
    #expect(denied.first?["scope"] as? String == "accounting.attachments.read")
    #expect(document["result"] as? String == "partial" && document["ending"] is NSNull)
    let only = try await fixture.run("documents", "sync", "--kind", "attachment", "--json")
      .document()
    #expect(only["ending"] as? String == "denied")
    #expect(await fixture.run("documents", "sync", "--kind", "pdf").status == .done)
    // The names of taxes and accounts need another one.
    let synced = await fixture.run("sync", "invoices", "--full")
    let advice = [
      "the login lacks the scope accounting.settings.read",
      "appcore login --scope accounting.settings.read --account default",
      "appcore sync invoices --full --account default",
    ]
    #expect(synced.status == .done && advice.allSatisfy(synced.output.contains), "\(synced)")
    let report = try await fixture.run("sync", "invoices", "--full", "--json").document()
    #expect(report["missingScope"] as? String == "accounting.settings.read")
    let doctor = await fixture.run("doctor")
    #expect(doctor.output.contains("lacks the scope accounting.attachments.read"), "\(doctor)")
  }

  @Test("of all accounts, one whose provider gives no files is a note, and of one an error")
  func allAccounts() async throws {
    let (fixture, _) = try await scene(
      accounts: "default: { provider: stripe }, other: { provider: acme }")
    let count = try await files(fixture)
    let ending = await fixture.run("documents", "sync", "--all-accounts")
    #expect(ending.status == .done, "\(ending.errors)")
    #expect(ending.output.contains("default: Fetched \(count) files"), "\(ending.output)")
    #expect(ending.errors.contains("gives no files"), "\(ending.errors)")
    let json = await fixture.run("documents", "sync", "--all-accounts", "--json")
    #expect(json.status == .done && json.errors.isEmpty, "\(json.errors)")
    #expect((try json.document()["reports"] as? [[String: Any]])?.count == 1)
    let only = try await scene(accounts: "default: { provider: stripe }").fixture
    let yaml = try String(contentsOfFile: only.file("config/appcore/config.yaml"), encoding: .utf8)
    _ = try only.home.write(
      yaml.replacing("{ provider: stripe }", with: "{ provider: acme }"),
      to: "config/appcore/config.yaml")
    let every = await only.run("documents", "sync", "--all-accounts")
    #expect(every.status == .done && every.errors.contains("gives no files"), "\(every.errors)")
    let one = await fixture.run("documents", "sync", "--account", "other")
    #expect(one.status == .unclassified && one.errors.contains("gives no files"))
    let ubl = await fixture.run("documents", "sync", "--kind", "ubl")
    #expect(ubl.status == .unclassified && ubl.errors.contains("UBL files"), "\(ubl.errors)")
  }

  @Test("save writes one file under a readable name, to a path or to a pipe, and replaces nothing")
  func save() async throws {
    let (fixture, server) = try await scene()
    let row = try #require(
      try await fixture.run("invoices", "list", "--type", "invoice", "--status", "paid", "--json")
        .document()["invoices"] as? [[String: Any]]
    ).first
    let number = try #require(row?["number"] as? String)
    let ending = await fixture.run("documents", "save", number)
    #expect(ending.status == .done, "\(ending.errors)")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: fixture.home.path)
        .first { $0.hasSuffix(".pdf") })
    #expect(name.contains(number) && ending.errors.contains(name))
    let content = try Data(contentsOf: URL(filePath: fixture.file(name)))
    let before = await server.statistics().requests
    #expect(await fixture.run("documents", "save", number, "-o", "x.pdf").status == .done)
    #expect(await server.statistics().requests == before)
    #expect(try Data(contentsOf: URL(filePath: fixture.file("x.pdf"))) == content)
    let pipe = await fixture.run("documents", "save", number, "-o", "-")
    #expect(pipe.status == .done && pipe.output.hasPrefix("%PDF-"))
    _ = try fixture.home.write("mine", to: "x.pdf")
    let refused = await fixture.run("documents", "save", number, "-o", "x.pdf")
    #expect(refused.status == .inputOutput && refused.errors.contains("exists already"))
    #expect(refused.errors.contains("replace it with --clobber"), "\(refused.errors)")
    #expect(try String(contentsOfFile: fixture.file("x.pdf"), encoding: .utf8) == "mine")
    #expect(
      await fixture.run("documents", "save", number, "-o", "x.pdf", "--clobber").status == .done)
    #expect(try Data(contentsOf: URL(filePath: fixture.file("x.pdf"))) == content)
    #expect(
      await fixture.run("documents", "save", number, "-o", "-", onTerminal: true).status == .usage)
    #expect(await fixture.run("documents", "save", "none").status == .unclassified)
    let json = try await fixture.run("documents", "save", number, "-o", "y.pdf", "--json")
      .document()
    let saved = try #require((json["documents"] as? [[String: Any]])?.first)
    #expect(saved["path"] as? String == fixture.file("y.pdf"))
    let folder = await fixture.run("documents", "save", number, "-o", "new/")
    #expect(folder.errors == "Wrote \(fixture.file("new/\(name)"))\n")
  }

  @Test("save writes several attachments into a folder, and none to the name of one file")
  func severalFiles() async throws {
    let (fixture, _) = try await scene(
      .xero,
      accounts: """
        default: { provider: xero, clientID: {machine}, clientSecretFile: {secret}, scopes: [
          accounting.invoices.read, accounting.payments.read, accounting.contacts.read,
          accounting.attachments.read ] }
        """)
    #expect(await fixture.run("documents", "sync").status == .done)
    let rows = try Self.rows(await fixture.run("documents", "list", "--json"))
    let attachments = rows.filter { $0["kind"] as? String == "attachment" }
    let counts = Dictionary(grouping: attachments) { $0["invoiceID"] as? String ?? "" }
    let id = try #require(counts.first { $0.value.count > 1 }?.key)
    let save = ["documents", "save", id, "--kind", "attachment", "-o"]
    let refused = await fixture.run(save + ["one.png"])
    #expect(refused.status == .unclassified, "\(refused)")
    #expect(refused.errors.contains("-o names one"), "\(refused)")
    #expect(access(fixture.file("one.png"), F_OK) != 0)
    let ending = await fixture.run(save + ["all/"])
    #expect(ending.status == .done, "\(ending.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.file("all")).count
        == counts[id]?.count)
  }

  @Test("sync all prints the files of its run in the same JSON document")
  func syncAll() async throws {
    let (fixture, _) = try await scene(documents: "{ sync: true }")
    let one = try await fixture.run("sync", "all", "--json").document()
    let reports = try #require(one["documents"] as? [[String: Any]])
    #expect(reports.count == 1 && (reports.first?["unchanged"] as? Int ?? 0) > 1)
    let all = try await fixture.run("sync", "all", "--all-accounts", "--json").document()
    #expect((all["documents"] as? [[String: Any]])?.first?["account"] as? String == "default")
    let list = try await fixture.run("sync", "invoices", "--json").document()
    #expect(list["documents"] == nil)
  }

  @Test("a report links a file where it is, also after the user has moved it")
  func reportLinks() async throws {
    let people = try TemporaryDirectory()
    let (fixture, _) = try await scene(documents: "{ folder: \(people.path) }")
    #expect(await fixture.run("documents", "sync").status == .done)
    func links() async throws -> [String] {
      let page = await fixture.run("report", "--html", "-").output
      return page.matches(of: /href="file:\/\/([^"]+)"/).map {
        String($0.1).removingPercentEncoding ?? ""
      }
    }
    let first = try await links()
    #expect(!first.isEmpty && first.allSatisfy { $0.hasPrefix(people.path) })
    for path in first { try FileManager.default.removeItem(atPath: path) }
    let second = try await links()
    #expect(second.count == first.count)
    #expect(second.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    let logout = await fixture.run("logout", "--forget-invoices")
    #expect(logout.output.hasSuffix("The files in \(people.path) stay.\n"), "\(logout.output)")
  }

  @Test("the totals in index.csv are those of the summary by month")
  func totals() async throws {
    let (fixture, _) = try await scene(invoices: 200)
    #expect(await fixture.run("documents", "sync").status == .done)
    let summary = try await fixture.run("invoices", "summary", "--by", "month", "--json").document()
    let groups = try #require(summary["months"] as? [[String: Any]])
    var sums: [String: [String: ExactDecimal]] = [:]
    for group in groups {
      guard let month = group["month"] as? String else { continue }
      let currency = try #require(group["currency"] as? String)
      let total = try #require((group["total"] as? String).flatMap { ExactDecimal($0) })
      let key = "\(group["type"] as? String ?? "") \(currency)"
      sums[month, default: [:]][key] = total
    }
    #expect(sums.count > 3)
    for (month, expected) in sums {
      let folder = "out-\(month)"
      let export = await fixture.run("documents", "export", "--month", month, "--dir", folder)
      #expect(export.status == .done, "\(export.errors)")
      let text = try String(contentsOfFile: fixture.file("\(folder)/index.csv"), encoding: .utf8)
      #expect(try Self.totals(in: text) == expected, "\(month)")
    }
    #expect(
      await fixture.run("documents", "export", "--month", "last", "--zip", "a.zip").status == .done)
    for words in [[], ["--dir", "a", "--zip", "b"], ["--dir", "a", "--name", "{nothing}"]] {
      #expect(await fixture.run(["documents", "export"] + words).status == .usage, "\(words)")
    }
  }

  /// Adds up the column `total` by type and currency.
  private static func totals(in csv: String) throws -> [String: ExactDecimal] {
    var sums: [String: ExactDecimal] = [:]
    for line in csv.split(whereSeparator: \.isNewline).dropFirst() {
      // The contact is the only quoted value, and it stands before the amounts.
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let type = fields[2]
      let rest = Array(fields.suffix(6))
      guard let total = ExactDecimal(rest[2]) else { continue }
      sums["\(type) \(rest[3])"] = (sums["\(type) \(rest[3])"] ?? .zero).adding(total)
    }
    return sums
  }

  // Edge case 71
  @Test("verify finds a flipped bit and a lost file, --repair fetches them, and 74 says so")
  func verify() async throws {
    let (fixture, _) = try await scene()
    #expect(await fixture.run("documents", "sync").status == .done)
    let rows = try Self.rows(await fixture.run("documents", "list", "--json"))
    let paths = rows.compactMap { $0["path"] as? String }
    let whole = await fixture.run("documents", "verify")
    #expect(whole.status == .done && whole.output.contains("all are as they were fetched"))
    var bytes = try Data(contentsOf: URL(filePath: paths[0]))
    let first = bytes
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(filePath: paths[0]))
    try FileManager.default.removeItem(atPath: paths[1])
    let ending = await fixture.run("documents", "verify")
    #expect(ending.status == .inputOutput && ending.output.contains("2 damaged or missing"))
    #expect(ending.errors.contains("appcore documents verify --repair"), "\(ending.errors)")
    let json = await fixture.run("documents", "verify", "--json")
    #expect(json.status == .inputOutput)
    #expect((try json.document()["damaged"] as? [String])?.count == 2)
    let repaired = await fixture.run("documents", "verify", "--repair")
    #expect(repaired.status == .done && repaired.output.contains("2 fetched again"))
    #expect(try Data(contentsOf: URL(filePath: paths[0])) == first)
    #expect(await fixture.run("documents", "verify").status == .done)
  }

  // Edge case 71
  @Test("verify finds a flipped bit in each of all files, and --repair fetches them")
  func flippedBits() async throws {
    let (fixture, _) = try await scene(invoices: Self.count)
    #expect(await fixture.run("documents", "sync").status == .done)
    let rows = try Self.rows(await fixture.run("documents", "list", "--json"))
    // Equal files are one object.
    let paths = Set(rows.compactMap { $0["path"] as? String }).sorted()
    for (index, path) in paths.enumerated() {
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes[7_919 * index % bytes.count] ^= 1 << UInt8(index % 8)
      try bytes.write(to: URL(filePath: path))
    }
    let found = await fixture.run("documents", "verify", "--json")
    #expect(found.status == .inputOutput)
    let damaged = try #require(try found.document()["damaged"] as? [String])
    #expect(Set(damaged) == Set(paths.map { URL(filePath: $0).lastPathComponent }))
    let repaired = await fixture.run("documents", "verify", "--repair")
    #expect(repaired.status == .done, "\(repaired.errors)")
    let whole = try await fixture.run("documents", "verify", "--json").document()
    #expect((whole["damaged"] as? [Any])?.isEmpty == true)
    print("documents: \(damaged.count) of \(paths.count) files with a flipped bit found")
  }

  @Test("--repair mends the file in the folder for people as well, and says what is lost for good")
  func repairedFolder() async throws {
    let people = try TemporaryDirectory()
    let (fixture, _) = try await scene(documents: "{ folder: \(people.path) }")
    #expect(await fixture.run("documents", "sync").status == .done)
    let all = FileManager.default.enumerator(atPath: people.path)
    let names = (all?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".pdf") }
    let file = URL(filePath: people.file(try #require(names.min())))
    let content = try Data(contentsOf: file)
    var damaged = content
    damaged[damaged.count / 2] ^= 1
    // Not as another file: the object has this one's name as well.
    try damaged.write(to: file)
    #expect(await fixture.run("documents", "verify").status == .inputOutput)
    let repaired = await fixture.run("documents", "verify", "--repair")
    #expect(repaired.status == .done, "\(repaired.errors)")
    #expect(try Data(contentsOf: file) == content)
    // Somebody may have edited it.
    let aside = file.path(percentEncoded: false).replacing(".pdf", with: " (damaged).pdf")
    #expect(try Data(contentsOf: URL(filePath: aside)) == damaged)
    // A file that somebody edited under its name stays.
    try FileManager.default.removeItem(at: file)
    try Data("notes".utf8).write(to: file)
    let rows = try Self.rows(await fixture.run("documents", "list", "--json"))
    for row in rows {
      try FileManager.default.removeItem(atPath: try #require(row["path"] as? String))
    }
    let again = await fixture.run("documents", "verify", "--repair")
    #expect(again.status == .done, "\(again.errors)")
    #expect(try Data(contentsOf: file) == Data("notes".utf8))
    // Earlier versions, which the provider has no longer.
    let sqlite = try #require(ChildProcess.find("sqlite3"))
    let ending = try await ChildProcess(
      sqlite,
      [
        fixture.file("data/appcore/appcore.sqlite"),
        "UPDATE document SET replaced_at = 1 WHERE sha256 IS NOT NULL",
      ], environment: [:]
    ).ending()
    #expect(ending.status == 0, "\(ending.errors)")
    let object = try #require(rows.first?["path"] as? String)
    try Data("damaged".utf8).write(to: URL(filePath: object))
    let lost = await fixture.run("documents", "verify", "--repair")
    #expect(lost.status == .inputOutput, "\(lost.output)")
    #expect(lost.errors.contains("1 file could not be fetched again"), "\(lost.errors)")
  }

  @Test("a repair that cannot fetch forgets nothing, and what cannot be read is no damage")
  func repairWithoutServer() async throws {
    let (fixture, server) = try await scene()
    #expect(await fixture.run("documents", "sync").status == .done)
    let rows = try Self.rows(await fixture.run("documents", "list", "--json"))
    let objects = fixture.file("data/appcore/documents/objects")
    try FileManager.default.moveItem(atPath: objects, toPath: objects + "-away")
    for words in [[], ["--repair"]] {
      let ending = await fixture.run(["documents", "verify"] + words)
      #expect(ending.status == .inputOutput && ending.errors.contains(objects), "\(ending)")
    }
    try FileManager.default.moveItem(atPath: objects + "-away", toPath: objects)
    let path = try #require(rows.first?["path"] as? String)
    let content = try Data(contentsOf: URL(filePath: path))
    try FileManager.default.removeItem(atPath: path)
    server.armFault(Fault(path: "/d/*", kind: .status, times: 1_000, status: 500))
    let failed = await fixture.run("documents", "verify", "--repair")
    #expect(failed.status != .done && failed.output.contains("0 fetched again"), "\(failed)")
    // It comes back, as from another disk.
    try content.write(to: URL(filePath: path))
    #expect(await fixture.run("documents", "verify").status == .done)
    server.clearFaults()
    let again = try await fixture.run("documents", "sync", "--json").document()
    #expect(again["unchanged"] as? Int == rows.count && again["requests"] as? Int == 0)
    // A file that is lost is fetched by whoever asks for it.
    try FileManager.default.removeItem(atPath: path)
    let number = try #require(rows.first?["invoiceNumber"] as? String)
    let saved = await fixture.run("documents", "save", number, "-o", "saved.pdf")
    #expect(saved.status == .done, "\(saved.errors)")
    #expect(await fixture.run("documents", "verify").status == .done)
    #expect(await fixture.run("documents", "verify", "--account", "none").status == .configuration)
  }

  @Test("a file that cannot be fetched anew keeps its version, and is fetched by the next run")
  func failedRefresh() async throws {
    let (fixture, server) = try await scene()
    #expect(await fixture.run("documents", "sync").status == .done)
    server.armFault(Fault(path: "/d/*", kind: .status, times: 1_000, status: 500))
    var stale: [[String: Any]] = []
    for seed in 1...100 as ClosedRange<UInt64> where stale.isEmpty {
      server.changeInvoices(count: 1, seed: seed)
      #expect(await fixture.run("sync", "all").status == .done)
      _ = await fixture.run("documents", "sync")
      stale = try Self.rows(await fixture.run("documents", "list", "--stale", "--json"))
    }
    #expect(stale.count == 1 && stale.first?["state"] as? String == "stored")
    #expect(stale.first?["errorCode"] as? String == "server-failed")
    server.clearFaults()
    let next = try await fixture.run("documents", "sync", "--json").document()
    #expect(next["stored"] as? Int == 1)
    #expect(await fixture.run("documents", "list", "--stale").output.isEmpty)
  }

  @Test("one file that cannot be placed in the folder for people keeps no other from its place")
  func obstacle() async throws {
    let people = try TemporaryDirectory()
    let (fixture, _) = try await scene(documents: "{ folder: \(people.path) }")
    func names() -> [String] {
      let all = FileManager.default.enumerator(atPath: people.path)
      return (all?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".pdf") }.sorted()
    }
    #expect(await fixture.run("documents", "sync").status == .done)
    let every = names()
    let year = try #require(every.first?.prefix(4))
    let others = every.filter { !$0.hasPrefix(year) }
    #expect(!others.isEmpty)
    for name in try FileManager.default.contentsOfDirectory(atPath: people.path) {
      try FileManager.default.removeItem(atPath: people.file(name))
    }
    for name in ["data", "documents"] {
      let path = fixture.file("data/appcore/" + name)
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    for suffix in ["", "-wal", "-shm"] {
      let path = fixture.file("data/appcore/appcore.sqlite" + suffix)
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    #expect(await fixture.run("sync", "all").status == .done)
    try FileManager.default.createSymbolicLink(
      atPath: people.file(String(year)), withDestinationPath: "/nowhere")
    let ending = await fixture.run("documents", "sync", "--json")
    #expect(ending.status == .inputOutput && ending.errors.contains("\(year)"), "\(ending)")
    #expect(try ending.document()["stored"] as? Int == every.count)
    #expect(names() == others)
    // What was placed is known, so that a file that somebody moves stays away.
    let moved = try #require(others.first)
    try FileManager.default.removeItem(atPath: people.file(moved))
    _ = await fixture.run("documents", "sync")
    #expect(names() == others.filter { $0 != moved })
  }

  @Test("a file that the user moved out of the folder does not come back, and only new ones do")
  func placed() async throws {
    let people = try TemporaryDirectory()
    let (fixture, server) = try await scene(documents: "{ folder: \(people.path) }")
    func names() -> Set<String> {
      let all = FileManager.default.enumerator(atPath: people.path)
      return Set((all?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".pdf") })
    }
    #expect(await fixture.run("documents", "sync").status == .done)
    let first = names()
    #expect(try first.count == Self.rows(await fixture.run("documents", "list", "--json")).count)
    let moved = try #require(first.min())
    try FileManager.default.removeItem(atPath: people.file(moved))
    #expect(await fixture.run("documents", "sync").status == .done)
    #expect(names() == first.subtracting([moved]))
    // Another version of a file has a name of its own.
    var fetched = 0
    for seed in 1...100 as ClosedRange<UInt64> where fetched == 0 {
      server.changeInvoices(count: 1, seed: seed)
      #expect(await fixture.run("sync", "all").status == .done)
      let run = try await fixture.run("documents", "sync", "--json").document()
      fetched = try #require(run["stored"] as? Int)
    }
    #expect(fetched == 1 && names().count == first.count)
    #expect(names().isSuperset(of: first.subtracting([moved])))
    #expect(!names().contains(moved))
  }

  @Test("forgetting an account's records removes its files, and no other's")
  func forgotten() async throws {
    let (fixture, _) = try await scene(
      accounts: "default: { provider: stripe }, other: { provider: stripe }")
    let login = await fixture.run(
      "login", "--token-stdin", "--account", "other", input: "sk_live_1")
    #expect(login.status == .done, "\(login.errors)")
    for words in [["sync", "all"], ["documents", "sync", "--limit", "3"]] {
      _ = await fixture.run(words + ["--account", "other"])
    }
    #expect(await fixture.run("documents", "sync").status == .done)
    let own = try Self.rows(
      await fixture.run("documents", "list", "--json", "--account", "default")
    )
    .compactMap { $0["path"] as? String }
    let other = try Self.rows(
      await fixture.run("documents", "list", "--json", "--account", "other")
    )
    .compactMap { $0["path"] as? String }
    // The sandbox gives both the same files.
    #expect(other.count == 3 && Set(other).isSubset(of: own))
    let ending = await fixture.run("logout", "--account", "default", "--forget-invoices")
    #expect(ending.status == .done, "\(ending.errors)")
    for path in own {
      #expect(FileManager.default.fileExists(atPath: path) == other.contains(path))
    }
  }
}
