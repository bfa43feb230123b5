import Foundation
import Networking
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// The values that a renewal keeps when the token endpoint's response omits them.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct RenewalResponseTests {
  /// A response, and the values that have to be stored after it.
  struct Answer: Sendable, CustomTestStringConvertible {
    let json: String
    let refreshToken: String
    /// The seconds from the exchange to the token's expiry; `nil` if it has none.
    var lifetime: Double?
    /// The expiry, if the response names an instant.
    var end: Date?

    var testDescription: String { json }
  }

  private static let instant = Date(timeIntervalSince1970: 4_102_444_800)

  // Edge case 16
  @Test(
    "an incomplete response keeps the login, and the next renewal sends the right token",
    arguments: [
      Answer(json: #"{"access_token":"a1","expires_in":600}"#, refreshToken: "r0", lifetime: 600),
      Answer(json: #"{"access_token":"a1"}"#, refreshToken: "r0"),
      Answer(
        json: #"{"access_token":"a1","refresh_token":"","expires_in":600}"#, refreshToken: "r0",
        lifetime: 600),
      Answer(
        json: #"{"access_token":"a1","refresh_token":null,"expires_in":600}"#, refreshToken: "r0",
        lifetime: 600),
      Answer(json: #"{"access_token":"a1","refresh_token":"r1"}"#, refreshToken: "r1"),
      Answer(
        json: #"{"access_token":"a1","refresh_token":"r1","expires_in":null}"#, refreshToken: "r1"),
      Answer(
        json: #"{"access_token":"a1","refresh_token":"r1","expires_in":"600"}"#,
        refreshToken: "r1", lifetime: 600),
      Answer(
        json: #"{"access_token":"a1","refresh_token":"r1","expires_in":0}"#, refreshToken: "r1"),
      Answer(json: #"{"access_token":"a1","expires_in":"0"}"#, refreshToken: "r0"),
      Answer(
        json: #"{"access_token":"a1","refresh_token":"r1","expires_at":4102444800}"#,
        refreshToken: "r1", end: instant),
      Answer(
        json: #"{"access_token":"a1","expires_at":"2100-01-01T00:00:00Z"}"#, refreshToken: "r0",
        end: instant),
      // A lifetime is the same on every clock, so it goes first.
      Answer(
        json: #"{"access_token":"a1","expires_in":600,"expires_at":4102444800}"#,
        refreshToken: "r0", lifetime: 600),
    ])
  func partialAnswers(answer: Answer) async throws {
    let fixture = try await WireFixture([[.tokens(answer.json)]])
    let before = try #require(try await fixture.stored())
    let renewed = try await fixture.authenticator.credential(for: "default")
    #expect(renewed.accessToken == Secret("a1"))
    let end = answer.end ?? answer.lifetime.map { fixture.clock.wall.addingTimeInterval($0) }
    #expect(renewed.expiresAt == end)

    let stored = try #require(try await fixture.stored())
    #expect(stored.accessToken == Secret("a1"))
    #expect(stored.refreshToken == Secret(answer.refreshToken))
    #expect(stored.loginID == before.loginID && stored.scopes == before.scopes)
    #expect(stored.generation.rawValue > before.generation.rawValue)
    #expect(try await fixture.record()?.pendingExchange == nil)

    // The server no longer accepts the token, whatever its expiry, so another process renews.
    let next = try fixture.next()
    _ = try await next.credential(for: "default", reason: .rejected(stored.generation))
    #expect(fixture.sentTokens == ["r0", answer.refreshToken])
  }

  // Edge case 16
  @Test(
    "a renewal stores the new pair of a response with any successful status",
    arguments: ["200 OK", "201 Created", "202 Accepted", "203 Non-Authoritative Information"])
  func otherSuccess(status: String) async throws {
    let pair = #"{"access_token":"a1","refresh_token":"r1","expires_in":600}"#
    let fixture = try await WireFixture([[.response(status, body: pair)]])
    #expect(
      try await fixture.authenticator.credential(for: "default").accessToken == Secret("a1"))
    #expect(try await fixture.stored()?.refreshToken == Secret("r1"))
    #expect(try await fixture.record()?.pendingExchange == nil)
  }

  @Test(
    "a successful response without tokens is not the authorization server's",
    arguments: [
      .response(body: "<html>"), .response("201 Created", body: "{}"), .response("204 No Content"),
    ] as [FaultScript.Step])
  func otherPage(answer: FaultScript.Step) async throws {
    let fixture = try await WireFixture([[answer]])
    let failure = try #require(await fixture.failure())
    #expect("\(failure)".contains("does not come from the authorization server"))
    #expect(try await fixture.record()?.pendingExchange?.isAnswered == true)
  }
}
