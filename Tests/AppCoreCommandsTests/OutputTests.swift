import AppCore
import Authentication
import ErrorCodes
import Foundation
import Glibc
import Models
import Networking
import Sync
import Testing

@testable import AppCoreCommands
@testable import Presentation
@testable import Storage

@Suite(.timeLimit(.minutes(10))) struct OutputTests {
  @Test("absent values are written as null")
  func nulls() {
    struct Document: Encodable {
      let a = Nullable<String>(nil)
      let b = Nullable("x")
    }
    #expect(JSONText.encode(Document()) == #"{"a":null,"b":"x"}"#)
  }

  @Test("lines are broken at words, keep their indentation, and leave commands and addresses whole")
  func wrapping() {
    #expect(TerminalText.wrapped("one two three four", to: 9) == "one two\nthree\nfour")
    #expect(TerminalText.wrapped("one two three", to: 13) == "one two three")
    #expect(TerminalText.wrapped("one two three", to: nil) == "one two three")
    #expect(TerminalText.wrapped("a\n  bb cc dd\n\n", to: 8) == "a\n  bb cc\n  dd\n\n")
    #expect(
      TerminalText.wrapped("see https://a.example/long now", to: 8)
        == "see\nhttps://a.example/long\nnow")
    let command = "Run: " + "appcore login --account a".unbroken + ". Then go on"
    #expect(
      TerminalText.wrapped(command, to: 12) == "Run:\nappcore login --account a.\nThen go on")
    #expect(TerminalText.wrapped(command, to: nil) == "Run: appcore login --account a. Then go on")
    #expect(TerminalText.wrapped("東京 東京 東京", to: 9) == "東京 東京\n東京")
  }

  @Test("notes and hints fit a terminal, and a pipe and JSON have them whole")
  func wrappedHints() async throws {
    let fixture = try CommandFixture()
    // Without the line of progress, which shares the row of a message.
    let narrow = await fixture.run("sync", "invoices", "--quiet", columns: 40)
    let command = "appcore login --account default --token-stdin"
    #expect(narrow.errors.contains("\n  \(command)\n"), "\(narrow.errors)")
    for line in narrow.errors.split(separator: "\n") where !line.contains(command) {
      #expect(DisplayWidth.of(line) <= 40, "\(line)")
    }
    let pipe = await fixture.run("sync", "invoices")
    #expect(pipe.errors.contains("\n  Sign in with: \(command)\n"), "\(pipe.errors)")
    let lines = await fixture.run("sync", "invoices", "--progress", "json", columns: 40)
    #expect(lines.errors.contains("Sign in with: \(command)"), "\(lines.errors)")
  }

  @Test("JSON is one line, and indented for a terminal; empty values stay on their line")
  func json() throws {
    struct Document: Encodable {
      let list = ["a,b:[]{}\"\\", "c/d\n"]
      let empty: [Int] = []
      let nested: [String: [Int]] = ["none": [], "one": [1, 2]]
      let object: [String: Int] = [:]
    }
    let compact = JSONText.encode(Document())
    #expect(
      compact
        == #"{"empty":[],"list":["a,b:[]{}\"\\","c/d\n"],"nested":{"none":[],"one":[1,2]},"object":{}}"#
    )
    #expect(
      JSONText.encode(Document(), isPretty: true) == #"""
        {
          "empty": [],
          "list": [
            "a,b:[]{}\"\\",
            "c/d\n"
          ],
          "nested": {
            "none": [],
            "one": [
              1,
              2
            ]
          },
          "object": {}
        }
        """#)
    for json in ["[]", #""\\""#] {
      #expect(JSONText.indented(Array(json.utf8)) == Array(json.utf8))
    }
  }

  @Test("an export, empty or not, is the document that the JSON writer would write")
  func export() async throws {
    struct Document: Encodable {
      let schemaVersion = 1
      let invoices: [InvoiceDocument]
    }
    let euro = try #require(Currency(code: "EUR"))
    let invoice = StoredInvoice(
      account: "a",
      invoice: Invoice(
        id: "1", type: .invoice, status: .open, rawStatus: "OPEN",
        currency: euro, total: .zero),
      deletedAt: nil, deletedReason: nil, syncedAt: Timestamp(microsecondsSinceEpoch: 0))
    for isPretty in [true, false] {
      for invoices in [[], [invoice], [invoice, invoice]] {
        let output = TextRecorder()
        let terminal = Terminal(output: output, error: output, thread: OutputThread())
        let format = RowFormat<StoredInvoice>.json("invoices", isPretty: isPretty) {
          InvoiceQuery.append($0, withParts: true, to: &$1)
        }
        let count = try await format.write(to: terminal) { body in
          for invoice in invoices { try body(invoice) }
        }
        let document = Document(invoices: invoices.map { InvoiceDocument($0) })
        #expect(output.text == JSONText.encode(document, isPretty: isPretty) + "\n")
        #expect(count == invoices.count)
      }
    }
  }

  private struct Report: Decodable {
    struct Content: Decodable {
      struct Record: Decodable { let id: String?, path: String, reason: String }
      let code: String
      let exitCode: Int
      let retryable: Bool
      let hint: String?
      let resource: String?
      let records: [Record]?
    }
    let error: Content
    let errors: [Content]?
  }

  private func report(_ failures: Failures) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(failures.json().utf8))
  }

  @Test("several failures are one object with all of them, led by one that no retry solves")
  func several() throws {
    var first = Failure(SyncError.serverFailed(status: 503))
    first.resource = "invoices"
    var second = Failure(
      .unreadableData, "1 of the contacts cannot be read", "Try again.")
    second.resource = "contacts"
    second.records = [RowFailure(id: "c", path: "Name", reason: "a text was expected")]
    let failures = try #require(Failures([first, second]))
    let report = try report(failures)
    #expect(failures.first.status == .unreadableData && report.error.exitCode == 65)
    #expect(report.errors?.map(\.code) == ["server-failed", "unreadable-data"])
    #expect(report.errors?.map(\.resource) == ["invoices", "contacts"])
    #expect(report.error.records?.map(\.id) == ["c"] && report.error.records?.first?.path == "Name")
    let text = failures.text
    #expect(text.contains("appcore: invoices: ") && text.contains("appcore: contacts: 1 of the"))
    #expect(Failures([]) == nil)
  }

  @Test(
    "a failure while closing is reported once, beside the command's own")
  func closing() throws {
    let busy = StorageError.busy(path: "a")
    let lost = AuthenticationError.notSaved(accounts: ["a"], underlying: CancellationError())
    let both = try report(Failures(busy, closing: lost))
    #expect(both.error.code == "database-busy")
    #expect(both.errors?.map(\.code) == ["database-busy", "login-not-saved"])
    #expect(try report(Failures(busy, closing: busy)).errors == nil)
    let ended = try report(Failures(CommandEnded(status: .unclassified), closing: lost))
    #expect(ended.error.code == "login-not-saved" && ended.errors == nil)
    let nested = Failures(Failures(busy, closing: lost), closing: busy)
    #expect(nested.all.map(\.code) == [.databaseBusy, .loginNotSaved])
  }

  @Test("control characters of a server do not reach the terminal")
  func controlCharacters() {
    #expect(printable("a\u{1B}[2Jb\u{7}é") == "a\u{FFFD}[2Jb\u{FFFD}é")
  }

  @Test("JSON for a terminal escapes characters that could steer it, and keeps its value")
  func terminalJSON() throws {
    let name = "a\u{202E}b\u{7F}c\u{E0041}d\u{200D}e\u{2028}\u{1B}é"
    let json = JSONText.encode(["name": name])
    let shown = TerminalText.json(json)
    #expect(shown.contains(#"a\u202Eb\u007Fc\uDB40\uDC41d"#))
    #expect(shown.unicodeScalars.allSatisfy { $0.isSafeToDisplay || $0 == "\n" })
    #expect(
      try JSONDecoder().decode([String: String].self, from: Data(shown.utf8)) == ["name": name])
  }

  @Test("CSV for a terminal keeps its rows and nothing that could steer it")
  func terminalCSV() {
    #expect(
      TerminalText.csv("a,\u{1B}[2J\u{202E}b\r\nc\rd\r\n") == "a,\u{FFFD}[2J\u{FFFD}b\nc\u{FFFD}d\n"
    )
  }

  @Test(
    "a server's scope is offered for copying only if RFC 6749 allows it, and quoted",
    arguments: [
      ("invoices.read", " --scope=invoices.read"),
      ("a b:c", " --scope=a --scope=b:c"),
      ("https://x.example/a?b", " --scope='https://x.example/a?b'"),
      ("x;reboot", " --scope='x;reboot'"),
      ("$(reboot) `id`", " --scope='$(reboot)' --scope='`id`'"),
      ("it's", #" --scope='it'\''s'"#), ("--config", " --scope=--config"),
      ("a\"b", ""), ("a\\b", ""), ("a\nreboot", ""), ("a\u{1B}[2J", ""), ("a\u{202E}b", ""),
      (String(repeating: "x", count: 2_000), ""),
    ])
  func scopeHint(scope: String, words: String) {
    let failure = Failure(SessionError.insufficientScope(needed: scope, origin: nil))
    #expect(
      failure.hint == "Sign in again and request it, and for later sign-ins add it to "
        + "accounts.<name>.scopes: appcore login" + words)
    #expect(Failures(failure).text.unicodeScalars.allSatisfy { $0.isSafeToDisplay || $0 == "\n" })
  }

  @Test("a quotation in a check of doctor stays on its line")
  func doctor() {
    let check = DoctorCheck("a\nok   b", .failed, "x\u{202E}y", "z\u{1B}[2J")
    #expect(
      check.text(calling: HintProgram())
        == "FAIL a\u{FFFD}ok   b: x\u{FFFD}y\n     z\u{FFFD}[2J")
  }

  @Test("columns are as wide as their shown values")
  func columns() {
    #expect(TableLayout.lines([["a\u{202E}b", "1"], ["c", "2"]]) == ["a\u{FFFD}b  1", "c    2"])
  }

  @Test("several signals with one meaning count once; the terminal hangs up once")
  func interruptionCount() {
    var count = InterruptionCount()
    let start = ContinuousClock.now
    let signals: [(Int32, Duration)] = [
      (SIGTERM, .zero), (SIGTERM, .milliseconds(5)), (SIGHUP, .seconds(1)), (SIGHUP, .seconds(2)),
      (SIGINT, .seconds(3)),
    ]
    let counted = signals.map { signal, after in count.add(signal, at: start + after) }
    #expect(counted == [true, false, true, false, true])
    #expect(count.count == 3)
    // Ctrl-C held down for some seconds, as a terminal repeats it: once after a longer pause.
    for pause in [Duration.zero, .milliseconds(500)] {
      var held = InterruptionCount()
      _ = held.add(SIGINT, at: start)
      for number in 1..<100 { _ = held.add(SIGINT, at: start + pause + .milliseconds(40) * number) }
      #expect(held.count == 2)
    }
  }

  @Test("a cancelled command is interrupted, an unknown error unclassified and without its text")
  func failures() {
    struct Unknown: Error { let token = "canary" }
    #expect(Failure(CancellationError()).status == .interrupted)
    #expect(Failure(Unknown()).status == .unclassified)
    #expect(!Failures(Unknown()).json().contains("canary"))
  }

  @Test("a sync that runs in another process is 75, and worth a retry")
  func alreadyRunning() {
    let failure = Failure(SyncError.alreadyRunning(account: "default"))
    #expect(failure.status == .tryAgainLater && failure.status.rawValue == 75)
    #expect(failure.isRetryable && failure.code == .alreadyRunning)
  }
}
