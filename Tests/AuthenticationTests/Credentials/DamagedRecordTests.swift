import Foundation
import HTTPTypes
import Networking
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Records in the secure store that this version cannot read.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DamagedRecordTests {
  private static let key = SecretKey(service: "appcore", account: "default")
  private static let tokens = #"{"access_token":"a1","refresh_token":"r1","expires_in":1800}"#

  /// A way to damage a record.
  enum Damage: String, CaseIterable, Sendable {
    case truncated
    case withoutItsEnd
    case overwritten
    case notUTF8
    case zeroes
    case newerSchema
    case textForNumber
    case withoutTokens

    func apply(to record: [UInt8]) -> [UInt8] {
      let text = String(decoding: record, as: UTF8.self)
      switch self {
      case .truncated: return Array(record.prefix(record.count / 2))
      case .withoutItsEnd: return Array(record.dropLast())
      case .overwritten:
        return record.enumerated().map { $0.offset % 97 == 50 ? 0x07 : $0.element }
      case .notUTF8: return [0xFF, 0xFE] + record
      case .zeroes: return [UInt8](repeating: 0, count: record.count)
      case .newerSchema:
        return Array(text.replacing(#""version":1"#, with: #""version":2"#).utf8)
      case .textForNumber:
        return Array(text.replacing(#/"generation":\d+/#, with: #""generation":"seven""#).utf8)
      case .withoutTokens:
        return Array(text.replacing(#""accessToken""#, with: #""accessTokens""#).utf8)
      }
    }
  }

  private func record(_ fixture: WireFixture) async throws -> [UInt8] {
    try #require(try await fixture.store.backing.secret(for: Self.key)).exposedBytes
  }

  // Edge case 20
  @Test("a truncated record is unreadable, wherever it ends")
  func everyPrefix() async throws {
    let fixture = try await WireFixture([[.tokens(Self.tokens)]])
    let record = try await record(fixture)
    _ = try CredentialRecord(Secret(record))
    for length in 0..<record.count {
      #expect(throws: CredentialRecord.DecodingFailure.self) {
        _ = try CredentialRecord(Secret(Array(record.prefix(length))))
      }
    }
  }

  // Edge case 20
  @Test(
    "a damaged or newer record stays, sends nothing, and is replaced by a sign-in",
    arguments: Damage.allCases)
  func damaged(damage: Damage) async throws {
    let fixture = try await WireFixture([[.tokens(Self.tokens)]])
    let damaged = damage.apply(to: try await record(fixture))
    try await fixture.store.backing.store(Secret(damaged), for: Self.key, label: "x")
    let authenticator = fixture.authenticator
    for _ in 0..<2 { #expect(signInReason(await fixture.failure()) == .unreadable) }
    #expect(signInReason(await fixture.failure(try fixture.next())) == .unreadable)
    await authenticator.renewEarly("default")
    let failure = await error { try await authenticator.status(of: "default") }
    #expect(signInReason(failure) == .unreadable)
    #expect(try await record(fixture) == damaged)
    #expect(fixture.server.requests.isEmpty)
    // The error shows no part of the record.
    #expect(!"\(failure.map { "\($0)" } ?? "")".contains("r0"))

    let login = TokenSet(accessToken: Secret("mine"), refreshToken: Secret("r9"))
    #expect(try await authenticator.setTokens(login, for: "default").state == .valid)
    #expect(try await fixture.stored()?.refreshToken == Secret("r9"))
    #expect(try await authenticator.credential(for: "default").accessToken == Secret("mine"))
  }

  // Edge case 20
  @Test(
    "a record that is damaged while its token is in use costs neither the token nor the next login")
  func damagedInUse() async throws {
    let fixture = try await WireFixture([[.tokens(Self.tokens)]])
    _ = try await fixture.authenticator.credential(for: "default")
    let damaged = Damage.truncated.apply(to: try await record(fixture))
    try await fixture.store.backing.store(Secret(damaged), for: Self.key, label: "x")
    let url = try #require(URL(string: fixture.server.url))
    let origin = try #require(Origin(url))
    var request = try Request(url: url).head
    let authorizer = try fixture.authenticator.authorizer(for: "default", origins: [origin])
    _ = try await authorizer.authorize(&request)
    #expect(request.headerFields[.authorization] == "Bearer a1")
    fixture.clock.advance(by: .seconds(3_600))
    #expect(signInReason(await fixture.failure()) == .unreadable)
    #expect(try await record(fixture) == damaged)
    #expect(fixture.sentTokens == ["r0"])
    let report = try await fixture.authenticator.signOut("default")
    #expect(report.wasSignedIn && !report.isRevoked)
    #expect(try await fixture.store.backing.secret(for: Self.key) == nil)
  }
  @Test("a sign-in that cannot read the stored login fails, and the earlier login stays")
  func readFails() async throws {
    let fixture = try await WireFixture([[.tokens(Self.tokens)]])
    // The first read succeeds: the store is checked before the user is asked.
    fixture.store.failRead(.locked, after: 1)
    var failure: (any Error)?
    do {
      _ = try await fixture.authenticator.setTokens(
        TokenSet(accessToken: Secret("mine")), for: "default")
    } catch {
      failure = error
    }
    guard case AuthenticationError.secretStoreUnavailable(_, .locked)? = failure else {
      Issue.record("expected a locked store instead of \(String(describing: failure))")
      return
    }
    #expect(try await fixture.stored()?.refreshToken == Secret("r0"))
  }
}
