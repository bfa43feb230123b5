import AppCore
import ErrorCodes
import Foundation
import Models
import Presentation
import TestSupport
import Testing

@testable import AppCoreCommands

/// The output of a sync of several lists if a signal ends it during the second one.
@Suite(.timeLimit(.minutes(10))) struct InterruptedSyncTests {
  private func interrupted(_ arguments: String...) async throws -> CommandFixture.Ending {
    let fixture = try await CommandFixture.loggedIn(
      resources: """
              contacts:
                path: /contacts
                rows: .
                fields: { id: id, name: name, status: { value: active } }
        """)
    let gate = Gate()
    defer { gate.open() }
    fixture.server.answerNext(.replyAfter(gate, CommandFixture.reply("[]")))
    let rows = #"[{"id":"1","number":"A-1","status":"open","day":"2024-05-01","total":"1.50"}]"#
    fixture.server.answerNext(.reply(CommandFixture.reply(rows)))
    let running = Task { await fixture.run(arguments) }
    try await eventually("the contacts are asked for") {
      fixture.server.requests.last?.contains("/contacts") == true
    }
    running.cancel()
    return await running.joined
  }

  @Test("the report of the list that ended is printed, and the other list is interrupted")
  func all() async throws {
    let text = try await interrupted("sync", "all")
    #expect(text.status == .interrupted)
    #expect(
      text.output.hasPrefix("Synced invoices: 1 new (1 excluding deleted; "), "\(text.output)")
    #expect(
      text.errors == """
        appcore: contacts: interrupted before anything was stored
          Run the same command to continue.

        """)
    let json = try await interrupted("sync", "all", "--json")
    #expect(json.status == .interrupted)
    let reports = try #require(try json.document()["reports"] as? [[String: Any]])
    #expect(reports.map { $0["resource"] as? String } == ["invoices"])
    let failure = try json.failure()
    #expect(failure["code"] as? String == "interrupted")
    #expect(failure["resource"] as? String == "contacts")
  }

  @Test("an account of several has its report too, and its line says that it is interrupted")
  func accounts() async throws {
    let text = try await interrupted("sync", "all", "--all-accounts")
    #expect(text.status == .interrupted)
    #expect(text.output == "default  invoices: 1 new (1 excluding deleted); interrupted\n")
    #expect(text.errors.hasPrefix("appcore: interrupted after 0 of 1 account\n"), "\(text.errors)")
    let json = try await interrupted("sync", "all", "--all-accounts", "--json")
    #expect(json.status == .interrupted)
    let accounts = try #require(try json.document()["accounts"] as? [[String: Any]])
    #expect(accounts.map { $0["result"] as? String } == ["interrupted"])
    #expect((accounts[0]["reports"] as? [Any])?.count == 1)
    #expect(try json.failure()["code"] as? String == "interrupted")
  }

  @Test("an interruption decides the status, whatever failed before it")
  func failures() throws {
    let failures = try #require(
      Failures([
        Failure(.signInRequired, "a"), Failure(.interrupted, "i"),
      ]))
    #expect(failures.first.status == .interrupted && failures.all.count == 2)
  }
}
