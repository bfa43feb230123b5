import Foundation
import Networking
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Failed exchanges: only the written bytes decide if the token may be sent again.
///
/// The server forbids replays, which is the strictest rule.
///
/// The tests run serially: each authenticator uses one of the user's 128 inotify instances.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp) struct UnsentRequestTests {
  private func isInterrupted(_ error: (any Error)?) -> Bool {
    if case AuthenticationError.signInRequired(_, .interruptedRenewal, _)? = error {
      true
    } else {
      false
    }
  }

  /// No record of TLS that could be decrypted.
  private static let garbage = Bytes([0x17, 3, 3, 0, 32] + [UInt8](repeating: 0xAA, count: 32))

  // Edge cases 19 and 31
  @Test(
    "a TLS failure in the answer counts as a lost connection, and the token is not sent again",
    arguments: [
      [.sendBelowTLS(garbage), .hang],
      [
        .send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"acc"), .sendBelowTLS(garbage), .hang,
      ],
    ] as [[FaultScript.Step]])
  func brokenTLS(steps: [FaultScript.Step]) async throws {
    let certificates = try TestCertificates()
    let fixture = try await WireFixture(
      [steps], tls: .init(try certificates.leaf()), trusting: certificates.authorityFile
    ) {
      $0.replay = .forbidden
    }
    let failure = await fixture.failure()
    guard case AuthenticationError.temporarilyUnavailable(_, _, let reason)? = failure,
      case SessionError.connectionLost? = reason as? SessionError
    else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(try await fixture.record()?.pendingExchange != nil)
    #expect(isInterrupted(await fixture.failure(try fixture.next())))
    #expect(fixture.sentTokens == ["r0"])
  }

  // Edge cases 19 and 31
  @Test(
    "a response that is not the authorization server's own proves nothing",
    arguments: [
      .response("503 Service Unavailable"), .response("502 Bad Gateway", body: "<html>"),
      .response("408 Request Timeout", body: #"{"error":"upstream_timeout"}"#),
      .response("400 Bad Request", body: #"{"error":"server_error"}"#),
      .response("504 Gateway Timeout", body: #"{"error":"invalid_client"}"#), .close,
    ] as [FaultScript.Step])
  func proxies(answer: FaultScript.Step) async throws {
    let fixture = try await WireFixture([[answer]]) { $0.replay = .forbidden }
    guard case AuthenticationError.temporarilyUnavailable? = await fixture.failure() else {
      // An unknown code is shown to the user, who can correct the configuration.
      #expect(try await fixture.record()?.pendingExchange?.isAnswered == true)
      return
    }
    #expect(isInterrupted(await fixture.failure(try fixture.next())))
    #expect(fixture.sentTokens == ["r0"])
  }

  // Edge cases 31 and 32
  @Test(
    "a definite refusal proves that the token is unspent",
    arguments: [
      .response("429 Too Many Requests"),
      .response("401 Unauthorized", body: #"{"error":"invalid_client"}"#),
      .response("400 Bad Request", body: #"{"error":"invalid_scope"}"#),
      .response("400 Bad Request", body: #"{"error":"temporarily_unavailable"}"#),
    ] as [FaultScript.Step])
  func turnedDown(answer: FaultScript.Step) async throws {
    let fixture = try await WireFixture([
      [answer], [.tokens(#"{"access_token":"a1","refresh_token":"r1"}"#)],
    ]) {
      $0.replay = .forbidden
    }
    #expect(await fixture.failure() != nil)
    #expect(try await fixture.record()?.pendingExchange == nil)
    #expect(await fixture.failure(try fixture.next()) == nil)
    #expect(fixture.sentTokens == ["r0", "r0"])
  }

  enum Way: String, CaseIterable {
    case refused, unknownName, untrusted, cleartext, connectTimeOut, givenUp
  }

  // Edge case 31
  @Test(
    "a failed connection proves that the token is unspent", arguments: Way.allCases)
  func unwritten(way: Way) async throws {
    let port = try ClosedPort()
    let certificates = try TestCertificates()
    var script = FaultScript(otherwise: [.hang])
    if way == .cleartext {
      script = FaultScript(onConnect: [.response("400 Bad Request"), .hang])
      script.claimsTLS = true
    }
    if way == .connectTimeOut || way == .givenUp { script.isReachable = false }
    let other = try await FaultServer(
      script, tls: way == .untrusted ? .init(try certificates.leaf(.selfSigned)) : nil)
    let url =
      switch way {
      case .refused: port.url
      case .unknownName: "https://appcore.invalid"
      default: other.url
      }
    let fixture = try await WireFixture([[.hang]], tokenURL: url) {
      $0.replay = .forbidden
    } session: {
      if way == .connectTimeOut { $0.timeout.connect = .milliseconds(200) }
      // The whole attempt ends while it still connects.
      if way == .givenUp { $0.timeout.request = .milliseconds(200) }
    }
    guard case AuthenticationError.temporarilyUnavailable? = await fixture.failure() else {
      Issue.record("the login has ended")
      return
    }
    #expect(try await fixture.record()?.pendingExchange == nil)
    #expect(!isInterrupted(await fixture.failure(try fixture.next())))
    #expect(other.requests.isEmpty)
  }

  @Test("a replay that was not written keeps the entry of the first exchange")
  func unwrittenReplay() async throws {
    let port = try ClosedPort()
    let fixture = try await WireFixture([[.hang]], tokenURL: port.url)
    let first = CredentialRecord.PendingExchange(
      Secret("r0"), at: fixture.clock.wall.addingTimeInterval(-3_000))
    var record = try #require(try await fixture.record())
    record.pendingExchange = first
    try await CredentialStore(store: fixture.store.backing).save(record, for: "default")
    #expect(await fixture.failure() != nil)
    let found = try #require(try await fixture.record()?.pendingExchange)
    #expect(abs(found.lastSentAt.timeIntervalSince(first.lastSentAt)) < 1)
    #expect(found.isAnswered == nil)
  }

  @Test("a failure of a front end's own renewal proves nothing")
  func customRenewal() async throws {
    let fixture = try await WireFixture([[.hang]]) { account in
      account.replay = .forbidden
      account.refresh = { _ in
        throw SessionError.connectionFailed(origin: nil, underlying: CancellationError())
      }
    }
    #expect(await fixture.failure() != nil)
    #expect(isInterrupted(await fixture.failure(try fixture.next())))
  }

  // Edge case 15
  @Test("a front end's own renewal that hangs is cancelled in time, and its token may be spent")
  func hangingCustomRenewal() async throws {
    let fixture = try await WireFixture([[.hang]]) { account in
      account.replay = .forbidden
      account.refresh = { old in
        await Gate().wait()
        try Task.checkCancellation()
        return old
      }
    }
    let failing = Task { await fixture.failure() }
    let (limit, first) = (
      fixture.session.configuration.exchangeLimit, fixture.session.configuration.timeout.request
    )
    try await fixture.clock.sleeper(of: first)
    fixture.clock.advance(by: first)
    try await fixture.clock.sleeper(of: limit - first)
    fixture.clock.advance(by: limit - first)
    guard
      case .temporarilyUnavailable(_, _, let cause as SessionError) =
        await failing.joined as? AuthenticationError, case .timedOut = cause
    else {
      Issue.record("it did not time out")
      return
    }
    #expect(isInterrupted(await fixture.failure(try fixture.next())))
  }

  // Edge case 15
  @Test("a pair from a front end's own renewal is kept, however late it comes")
  func lateCustomRenewal() async throws {
    let (asked, gate) = (Gate(), Gate())
    defer { gate.open() }
    let fixture = try await WireFixture([[.hang]]) { account in
      account.refresh = { _ in
        asked.open()
        await gate.waitWhateverHappens()
        return TokenSet(accessToken: Secret("a1"), refreshToken: Secret("r1"))
      }
    }
    let renewing = Task { await fixture.failure() }
    let (limit, first) = (
      fixture.session.configuration.exchangeLimit, fixture.session.configuration.timeout.request
    )
    await asked.wait()
    try await fixture.clock.sleeper(of: first)
    fixture.clock.advance(by: first)
    try await fixture.clock.sleeper(of: limit - first)
    fixture.clock.advance(by: limit - first)
    gate.open()
    #expect(await renewing.joined == nil)
    #expect(try await fixture.stored()?.refreshToken == Secret("r1"))
  }
}
