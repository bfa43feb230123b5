import Foundation
import TestSupport
import Testing

/// The faults of a keyring, each in a process of its own against a fake service.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: FakeKeyring.isAvailable))
struct SecretServiceStateTests {
  struct Answer {
    let text: String
    /// The duration of the call, by the probe's own clock.
    let milliseconds: Int
    /// The time for which the process went on after the call.
    let afterwards: Duration
  }

  private func probe(
    _ keyring: FakeKeyring, _ arguments: String..., limit: Int = 3_000, writeLimit: Int? = nil,
    withBus: Bool = true
  ) async throws -> Answer {
    try await probe(keyring, arguments, limit: limit, writeLimit: writeLimit, withBus: withBus)
  }

  private func probe(
    _ keyring: FakeKeyring, _ arguments: [String], limit: Int = 3_000, writeLimit: Int? = nil,
    withBus: Bool = true
  ) async throws -> Answer {
    var environment = keyring.environment
    environment["CALL_LIMIT"] = "\(limit)"
    environment["WRITE_LIMIT"] = writeLimit.map(String.init)
    if !withBus {
      environment["DBUS_SESSION_BUS_ADDRESS"] = nil
      environment["XDG_RUNTIME_DIR"] = nil
    }
    let begin = ContinuousClock.now
    let ending = try await ChildProcess(
      try ChildProcess.built("keyring-probe"), arguments, environment: environment
    ).ending()
    let parts = ending.output.split(separator: "|")
    let took = parts.last.flatMap {
      Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
    return Answer(
      text: parts.first.map(String.init) ?? "", milliseconds: try #require(took),
      afterwards: begin.duration(to: .now) - .milliseconds(took ?? 0))
  }

  /// The same, until neither the call nor the end of the process took as long as D-Bus waits for an
  /// answer, 25 s: a machine that is busy with something else makes one try slow; not all of them.
  private func bounded(_ keyring: FakeKeyring, _ arguments: String...) async throws -> String {
    var answers: [Answer] = []
    while answers.count < 5 {
      let answer = try await probe(keyring, arguments)
      guard answer.milliseconds > 20_000 || answer.afterwards > .seconds(20) else {
        return answer.text
      }
      answers.append(answer)
    }
    Issue.record("the calls and their processes had no limit: \(answers)")
    return answers.last?.text ?? ""
  }

  // Edge case 37
  @Test("no bus, no service and a service that does not start are distinguished in limited time")
  func absence() async throws {
    let none = try await FakeKeyring.start(service: nil)
    #expect(try await probe(none, "read", withBus: false).text == "unavailable noBus")
    #expect(try await probe(none, "read").text == "unavailable noService")
    none.stop()
    for kind in ["sleeps", "exits"] {
      let dead = try await FakeKeyring.start(activation: kind, service: nil)
      #expect(try await bounded(dead, "read") == "unavailable notStarting")
      dead.stop()
    }
  }

  // Edge case 37
  @Test("absent, present, duplicate and locked are distinguished; removing fixes a duplicate")
  func states() async throws {
    let keyring = try await FakeKeyring.start()
    #expect(try await probe(keyring, "read").text == "absent")
    #expect(try await probe(keyring, "remove").text == "absent")
    #expect(try await probe(keyring, "write", "one").text == "written")
    #expect(try await probe(keyring, "read").text == "one")
    for mode in ["locked", "locked-hidden"] {
      try await keyring.command(mode)
      for call in ["read", "remove", "write"] {
        #expect(
          try await probe(keyring, call, "two").text == "the keyring is locked", "\(mode) \(call)")
      }
      #expect(try await probe(keyring, "check").text.contains("locked"))
    }
    #expect(try await keyring.command("dump").contains("\"promptCount\": 0"))
    try await keyring.command("normal")
    #expect(try await probe(keyring, "read").text == "one")
    try await keyring.command("duplicate")
    #expect(
      try await probe(keyring, "read").text == "the keyring holds 2 logins where one is expected")
    #expect(try await probe(keyring, "remove").text == "removed")
    #expect(try await probe(keyring, "read").text == "absent")
    try await keyring.command("no-default")
    #expect(try await probe(keyring, "write", "x").text == "unavailable noDefaultCollection")
    keyring.stop()
  }

  private func items(_ keyring: FakeKeyring) async throws -> Int {
    struct Dump: Decodable {
      struct Item: Decodable {}
      let items: [Item]
    }
    let line = try await keyring.command("dump").split(separator: "\n").first ?? ""
    return try JSONDecoder().decode(Dump.self, from: Data(line.utf8)).items.count
  }

  // Edge case 37
  @Test("a secret stays in its keyring when another becomes the default, and no second one is made")
  func otherDefault() async throws {
    let keyring = try await FakeKeyring.start()
    #expect(try await probe(keyring, "write", "one").text == "written")
    try await keyring.command("other-default")
    #expect(try await probe(keyring, "write", "two").text == "written")
    #expect(try await items(keyring) == 1)
    #expect(try await probe(keyring, "read").text == "two")
    try await keyring.command("locked-others")
    for call in ["read", "write", "remove"] {
      #expect(
        try await probe(keyring, call, "three").text
          == "the keyring 'Login', which holds the login, is locked", "\(call)")
    }
    #expect(try await probe(keyring, "check").text.contains("'Login', locked"))
    #expect(try await items(keyring) == 1)
    try await keyring.command("prompt accepts")
    #expect(try await probe(keyring, "unlock").text == "unlocked")
    #expect(try await probe(keyring, "read").text == "two")
    keyring.stop()
  }

  // Edge case 37
  @Test("writing replaces several secrets of one key by one")
  func mergesDuplicates() async throws {
    let keyring = try await FakeKeyring.start()
    #expect(try await probe(keyring, "write", "one").text == "written")
    try await keyring.command("duplicate")
    #expect(try await probe(keyring, "write", "two").text == "written")
    #expect(try await items(keyring) == 1)
    #expect(try await probe(keyring, "read").text == "two")
    keyring.stop()
  }

  // Edge case 37
  @Test("without the default keyring, a stored secret is used, and a new one names what is missing")
  func goneDefault() async throws {
    for (command, answer) in [
      ("gone-default", "unavailable defaultCollectionGone"),
      ("no-default", "unavailable noDefaultCollection"),
    ] {
      let keyring = try await FakeKeyring.start()
      #expect(try await probe(keyring, "write", "one").text == "written")
      try await keyring.command(command)
      #expect(try await probe(keyring, "write", "two").text == "written")
      #expect(try await probe(keyring, "read").text == "two")
      #expect(try await probe(keyring, "check").text.contains("'Login'"))
      #expect(try await probe(keyring, "remove").text == "removed")
      for call in ["read", "write", "check"] {
        #expect(try await probe(keyring, call, "three").text == answer, "\(call)")
      }
      keyring.stop()
    }
  }

  // Edge case 37
  @Test("a keyring that is locked, opened or restarted under a running process is seen as it is")
  func inMidSession() async throws {
    let keyring = try await FakeKeyring.start()
    #expect(try await probe(keyring, "write", "one").text == "written")
    let lines = Pipe()
    let follower = try ChildProcess(
      try ChildProcess.built("keyring-probe"), ["follow"], environment: keyring.environment,
      input: lines)
    func read() async throws -> String {
      let before = follower.output.count
      try lines.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
      try await eventually("it answers") { follower.output.count > before }
      return follower.output.dropFirst(before).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    #expect(try await read() == "one")
    try await keyring.command("locked")
    #expect(try await read() == "the keyring is locked")
    try await keyring.command("normal")
    #expect(try await read() == "one")
    try await keyring.restart()
    #expect(try await read() == "absent")
    #expect(try await probe(keyring, "write", "two").text == "written")
    #expect(try await read() == "two")
    keyring.stop()
  }

  // Edge case 37
  @Test(
    "a service that is silent, dies or refuses is a typed failure in time, and the process ends")
  func trouble() async throws {
    let keyring = try await FakeKeyring.start()
    #expect(try await probe(keyring, "write", "one").text == "written")
    for method in ["SearchItems", "GetSecret", "OpenSession", "*"] {
      try await keyring.command("hang \(method)")
      #expect(try await bounded(keyring, "read") == "timedOut", "\(method)")
      try await keyring.command("normal")
    }
    try await keyring.command("read-only")
    #expect(try await probe(keyring, "write", "two").text.hasPrefix("failed "))
    try await keyring.command("normal")
    try await keyring.command("die GetSecret")
    #expect(try await probe(keyring, "read").text == "unavailable stopped")
    keyring.stop()
  }

  @Test("an item that another process removes meanwhile is absent, not refused")
  func vanishing() async throws {
    let keyring = try await FakeKeyring.start()
    for (method, call, answer) in [("GetSecret", "read", "absent"), ("Delete", "remove", "absent")]
    {
      #expect(try await probe(keyring, "write", "one").text == "written")
      try await keyring.command("vanish \(method)")
      #expect(try await probe(keyring, call).text == answer)
      try await keyring.command("normal")
    }
    keyring.stop()
  }

  // Edge case 37
  @Test("unlocking asks once, and a dismissed, an ignored and a cancelled prompt are distinguished")
  func unlocking() async throws {
    let keyring = try await FakeKeyring.start(service: ["locked", "prompt", "accepts"])
    #expect(try await probe(keyring, "unlock").text == "unlocked")
    try await keyring.command("locked")
    try await keyring.command("prompt dismissed")
    #expect(
      try await probe(keyring, "unlock").text == "the prompt to unlock the keyring was dismissed")
    try await keyring.command("prompt never")
    for hangs in [false, true] {
      if hangs { try await keyring.command("hang Dismiss") }
      // Neither the question nor the call that withdraws it ends by itself before that.
      let limit = 600_000
      let answer = try await probe(keyring, "unlock", "cancel", limit: limit)
      #expect(answer.text == "cancelled" && answer.milliseconds < limit, "\(answer)")
    }
    #expect(try await probe(keyring, "unlock").text == "timedOut")
    keyring.stop()
  }

  // Edge case 37
  @Test("a write may take longer than a read, so that a slow keyring costs no login")
  func slowWrite() async throws {
    let keyring = try await FakeKeyring.start()
    // The delay exceeds the limit of reads, whose default the probe has.
    try await keyring.command("delay CreateItem 4")
    #expect(try await probe(keyring, "write", "slow", writeLimit: 600_000).text == "written")
    try await keyring.command("normal")
    #expect(try await probe(keyring, "read").text == "slow")
    keyring.stop()
  }

  // Edge case 38
  @Test("a write that was given up on cannot overwrite a later one")
  func lateWrite() async throws {
    let keyring = try await FakeKeyring.start()
    #expect(try await probe(keyring, "write", "first").text == "written")
    try await keyring.command("delay SetSecret 1")
    #expect(try await probe(keyring, "rewrite", limit: 400).text == "written")
    try await keyring.command("normal")
    #expect(try await probe(keyring, "read").text == "new")
    keyring.stop()
  }
}
