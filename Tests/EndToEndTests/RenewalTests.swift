import Foundation
import Sandbox
import TestSupport
import Testing

/// Renewals of real processes that are killed, stopped, interrupted or many.
@Suite(
  .serialized, .timeLimit(.minutes(20)), .cleansUp,
  .enabled(if: PrivateKeyring.isAvailable && FakeKeyring.isAvailable, "a keyring is not installed"))
struct RenewalTests {
  // Edge case 23
  @Test("40 programs at an expired token cause one token request between them")
  func manyPrograms() async throws {
    let fixture = try await ProgramFixture { $0.tokenLifetime = .seconds(2) }.expired()
    let programs = try (0..<40).map { number in
      try fixture.start(
        ["sync", "invoices"], database: fixture.keyring.home.file("data-\(number).sqlite"))
    }
    for program in programs {
      let ending = await program.ending()
      // They sync the same account, which one does at a time; who waits in vain says so.
      #expect([0, 75].contains(ending.status), "\(ending.status): \(ending.errors)")
    }
    #expect(await fixture.refreshes() == 1)
    #expect(await fixture.server.statistics().refreshReuseDetected == 0)
  }

  // Edge case 15
  @Test(
    "a process that gets a signal during an exchange stores the new pair before it ends",
    arguments: [2, 15])
  func signal(number: Int32) async throws {
    let fixture = try await ProgramFixture { $0.tokenLifetime = .seconds(1) }.expired()
    fixture.server.holdTokenAnswers()
    let before = try await fixture.tokens()
    let program = try fixture.start(["sync", "invoices"], isPatient: true)
    try await fixture.awaitExchange()
    program.send(number)
    try await eventually("it says what it waits for") {
      program.errors.contains("waiting for the renewed login")
    }
    fixture.server.answerDelayedRequests()
    #expect(await program.ending().status == 128 + number)
    #expect(try await fixture.tokens()[1] != before[1])
    #expect(try await fixture.run("sync", "invoices").status == 0)
    #expect(await fixture.server.statistics().refreshReuseDetected == 0)
  }

  // Edge case 25
  @Test("a lock holder that is stopped past the time-out costs no login, not even its own")
  func stopped() async throws {
    let fixture = try await ProgramFixture {
      $0.tokenLifetime = .seconds(1)
      $0.reuseGrace = .seconds(1_800)
    }.expired()
    fixture.server.holdTokenAnswers()
    let holder = try fixture.start(["sync", "invoices"], isPatient: true)
    try await fixture.awaitExchange()
    holder.send(SIGSTOP)
    let (impatient, questions) = try probe(fixture, tasks: 10, lockTimeout: 1)
    try questions.fileHandleForWriting.write(contentsOf: Data("0\n".utf8))
    try await eventually("it gives up") { impatient.output.contains("\n") }
    #expect(impatient.output.contains("lock"), "\(impatient.output)")
    #expect(await fixture.refreshes() == 1)
    #expect(try await fixture.run("status").output.contains("process \(holder.processID)"))
    fixture.server.answerDelayedRequests()
    holder.send(SIGCONT)
    #expect(await holder.ending().status == 0)
    try questions.fileHandleForWriting.write(contentsOf: Data("0\n".utf8))
    try await eventually("it has the newer pair") {
      impatient.output.split(separator: "\n").last?.hasPrefix("1 ") ?? false
    }
    #expect(await fixture.refreshes() == 1)
    try questions.fileHandleForWriting.close()
    _ = await impatient.ending()
  }

  /// A process of a front end on the same login.
  private func probe(
    _ fixture: ProgramFixture, tasks: Int, lockTimeout: Int = 60
  ) throws -> (ChildProcess, Pipe) {
    let lines = Pipe()
    var environment = fixture.environment
    environment["LOCK_TIMEOUT"] = "\(lockTimeout)"
    let process = try ChildProcess(
      try ChildProcess.built("authentication-probe"),
      [
        fixture.server.url.absoluteString, fixture.server.clientID,
        fixture.keyring.home.file("state") + "/appcore", "\(tasks)",
      ], environment: environment, input: lines)
    return (process, lines)
  }

  // Edge case 17
  @Test("an unsaved pair is used and reported, and the program ends with an error")
  func cannotStore() async throws {
    let keyring = try await FakeKeyring.start()
    let fixture = try await ProgramFixture(keyring: keyring) {
      $0.tokenLifetime = .seconds(1)
      $0.reuseGrace = .seconds(1_800)
    }.expired()
    // The journal is written, the pair is not.
    try await keyring.command("fail-writes-after 1")
    let ending = try await fixture.run("sync", "invoices", "--json")
    #expect(ending.status == 75 && ending.errors.contains("login-not-saved"), "\(ending.errors)")
    #expect(try await fixture.stored().count == 3)
    try await keyring.command("writable")
    #expect(try await fixture.run("sync", "invoices").status == 0)
  }

  // Edge case 37
  @Test("a program without a bus starts no helper to make one")
  func noLauncher() async throws {
    let fixture = try await ProgramFixture(withKeyring: false)
    let trace = fixture.keyring.home.file("launched")
    let launcher = try fixture.keyring.home.write(
      "#!/bin/sh\ntouch \(trace)\n", to: "dbus-launch")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: launcher)
    var environment = fixture.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = nil
    environment["XDG_RUNTIME_DIR"] = nil
    environment["DISPLAY"] = ":99"
    let ending = try await ChildProcess(
      try ChildProcess.built("appcore"), ["sync", "invoices"], environment: environment
    ).ending()
    #expect(ending.status == 75)
    #expect(!FileManager.default.fileExists(atPath: trace))
  }

  // Edge case 27
  @Test("a renewal waits for an exchange under way even if the lock's file was removed")
  func lockRemoved() async throws {
    let fixture = try await ProgramFixture { $0.tokenLifetime = .seconds(1) }.expired()
    fixture.server.holdTokenAnswers()
    let first = try fixture.start(["sync", "invoices"], isPatient: true)
    try await fixture.awaitExchange()
    let state = fixture.keyring.home.file("state") + "/appcore/"
    try FileManager.default.removeItem(atPath: state + "auth-default.lock")
    let (impatient, questions) = try probe(fixture, tasks: 10, lockTimeout: 1)
    try questions.fileHandleForWriting.write(contentsOf: Data("0\n".utf8))
    try await eventually("it gives up") { impatient.output.contains("\n") }
    #expect(impatient.output.contains("lock"), "\(impatient.output)")
    let (patient, otherQuestions) = try probe(fixture, tasks: 10, lockTimeout: 600)
    try otherQuestions.fileHandleForWriting.write(contentsOf: Data("0\n".utf8))
    #expect(await fixture.refreshes() == 1)
    fixture.server.answerDelayedRequests()
    #expect(await first.ending().status == 0)
    try await eventually("it has the new pair") { patient.output.contains("\n") }
    #expect(patient.output.hasPrefix("1 "), "\(patient.output)")
    for (process, lines) in [(impatient, questions), (patient, otherQuestions)] {
      try lines.fileHandleForWriting.close()
      _ = await process.ending()
    }
    #expect(await fixture.refreshes() == 1)
    #expect(await fixture.server.statistics().refreshReuseDetected == 0)
  }

  // Edge case 27
  @Test("a state folder that cannot be created is a configuration error, and no request is sent")
  func readOnlyState() async throws {
    let fixture = try await ProgramFixture()
    var environment = fixture.environment
    environment["XDG_STATE_HOME"] = "/proc/none"
    let ending = try await ChildProcess(
      try ChildProcess.built("appcore"), ["sync", "invoices"], environment: environment
    ).ending()
    #expect(ending.status == 78, "\(ending.errors)")
  }

  // Edge case 30
  @Test("a sign-out during a sync ends it, and its renewals restore nothing")
  func signOutDuringSync() async throws {
    let fixture = try await ProgramFixture {
      $0.source = .generated(invoices: 2_000, seed: 1)
    }.signedIn()
    fixture.server.armFault(
      Fault(
        path: "/api.xro/2.0/Invoices", kind: .delay, skip: 3, times: 100,
        delayMilliseconds: 3_600_000))
    let sync = try fixture.start(["sync", "invoices"])
    try await eventually("pages are read") {
      await fixture.server.statistics().requests["GET /api.xro/2.0/Invoices"]?["200", default: 0]
        ?? 0 > 2
    }
    #expect(try await fixture.run("logout").status == 0)
    fixture.server.answerDelayedRequests()
    let ending = await sync.ending()
    #expect(ending.status == 77, "\(ending.errors)")
    #expect(try await fixture.run("status").output.contains("signed-out"))
    #expect(try await fixture.run("sync", "invoices").status == 77)
  }

  // Edge cases 1, 23 and 29
  @Test("8 processes with 50 tasks each, at 200 expiries, exchange 200 times and reuse nothing")
  func storm() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 1, seed: 1) }
      .signedIn()
    let processes = try (0..<8).map { _ in try probe(fixture, tasks: 50) }
    for round in 1...200 {
      for process in processes {
        try process.1.fileHandleForWriting.write(contentsOf: Data("\(round * 4_000)\n".utf8))
      }
      for process in processes {
        try await eventually("round \(round) is answered") {
          process.0.output.split(separator: "\n").count >= round
        }
      }
    }
    let answers = processes.map { $0.0.output.split(separator: "\n") }
    for round in 0..<200 {
      // Every task of every process has got the same generation.
      #expect(Set(answers.map { $0[round] }).count == 1 && answers[0][round].hasPrefix("1 "))
    }
    #expect(await fixture.refreshes() == 200)
    #expect(await fixture.server.statistics().refreshReuseDetected == 0)
    for process in processes { try process.1.fileHandleForWriting.close() }
    for process in processes { #expect(await process.0.ending().status == 0) }
  }
}
