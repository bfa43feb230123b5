import Foundation
import Sandbox
import TestSupport
import Testing

/// The output of the real program for a user who follows its work.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct OutputTests {
  // Edge case 43
  @Test("--trace-http reports each request on standard error; standard output stays one document")
  func traceHTTP() async throws {
    let fixture = try await ProgramFixture { $0.tokenLifetime = .seconds(1) }.expired()
    var secrets = try await fixture.tokens()
    let ending = try await fixture.run("sync", "invoices", "--json", "--quiet", "--trace-http")
    secrets += try await fixture.tokens()
    #expect(ending.status == 0, "\(ending.errors)")
    struct Document: Decodable { let schemaVersion: Int }
    _ = try JSONDecoder().decode(Document.self, from: Data(ending.output.utf8))
    let lines = ending.errors.split(separator: "\n")
    let shape =
      #/http (auth|invoices): (GET|POST) http://[^ ?]+(\?[^ ]+)? 200, \d+\.\d ms \(head \d+\.\d ms\), \d+ bytes(, .+)?/#
    let sessions = try lines.map { line in
      String(try #require(try shape.wholeMatch(in: line), "\(line)").output.1)
    }
    #expect(Set(sessions) == ["auth", "invoices"])
    #expect(lines.contains { $0.contains("/connect/token 200") })
    #expect(lines.contains { $0.contains("/Invoices?page=1&pageSize=250&order=") })
    for secret in secrets { #expect(!ending.errors.contains(secret)) }
  }

  @Test(
    "an export for spreadsheets has the separator of the locale",
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/share/i18n/locales/de_DE"),
      "the sources of locales are not installed"))
  func decimalComma() async throws {
    let fixture = try await ProgramFixture()
    let folder = try TemporaryDirectory()
    let program = try #require(ChildProcess.find("localedef"))
    let made = try ChildProcess(
      program, ["-i", "de_DE", "-f", "UTF-8", folder.file("de_DE.UTF-8")], environment: [:])
    #expect(await made.ending().status == 0)
    var variables = fixture.environment
    variables["LOCPATH"] = folder.path
    for (name, start) in [("de_DE.UTF-8", "account;id;"), ("C.UTF-8", "account,id,")] {
      variables["LC_ALL"] = name
      let export = try ChildProcess(
        ChildProcess.built("appcore"), ["invoices", "export", "--excel"], environment: variables)
      let output = await export.ending().output
      // Foundation leaves out the byte order mark as it reads the file.
      #expect(output.hasPrefix(start), "\(output)")
    }
    variables["LC_ALL"] = "xx_NONE"
    for (option, start) in [("--excel", "account,id,"), ("--decimal-comma", "account;id;")] {
      let export = try ChildProcess(
        ChildProcess.built("appcore"), ["invoices", "export", option], environment: variables)
      let ending = await export.ending()
      #expect(ending.output.hasPrefix(start), "\(ending.output)")
      #expect(ending.errors.contains("is not installed") == (option == "--excel"))
    }
  }

  @Test("-v prints the steps in readable lines, and -vv the requests as well")
  func verbose() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 600, seed: 1) }
    let login = try await fixture.run("login", "-v")
    #expect(login.errors.contains("authentication: signed in account=default generation="))
    let ending = try await fixture.run("sync", "invoices", "-v")
    #expect(ending.status == 0)
    #expect(!ending.output.contains(" debug "))
    let shape = #/\d\d:\d\d:\d\d\.\d{3} ([a-z]+) +([a-z.]+: [^=]+?)((?: [A-Za-z]+=[^ ]+)*)/#
    let steps = try ending.errors.split(separator: "\n").map { line in
      let match = try #require(try shape.wholeMatch(in: line), "\(line)").output
      return "\(match.1) \(match.2)"
    }
    #expect(
      steps == [
        "debug sync: fetching everything", "debug authentication: found the login",
        "debug sync: stored a page", "debug sync: stored a page", "debug sync: stored a page",
        "debug sync: stored a page", "debug sync: finished the sync",
      ])
    #expect(ending.errors.contains(" new=250 page=1 "))
    let details = try await fixture.run("sync", "invoices", "-vv", "--color", "always").errors
    #expect(details.contains("\u{1B}[2mtrace\u{1B}[0m"))
    #expect(details.contains("networking: GET ") && details.contains(" session=invoices\n"))
    #expect(try await fixture.run("sync", "invoices").errors.isEmpty)
  }
}
