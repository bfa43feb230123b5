import Foundation
import HTTPTypes
import Networking
import Synchronization
import TestSupport
import Testing

@testable import Authentication

/// A browser on another machine, whose last address the user pastes.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct PastedRedirectTests {
  /// Approves at the sandbox without following the redirect, and pastes its address.
  private final class Paster: AuthenticationDelegate {
    private let url = Mutex<URL?>(nil)
    let results = Mutex<[PastedRedirect]>([])

    func showAuthorizationPage(_ url: URL) async throws {
      var configuration = SessionConfiguration.patient
      configuration.redirects = .none
      let session = Session(name: "browser", configuration: configuration)
      let answer = try await session.send(try Request(url: url))
      await session.shutdown()
      let location = answer.head.headerFields[.location]
      self.url.withLock { $0 = location.flatMap(URL.init(string:)) }
    }

    func readPastedRedirects(_ accept: @Sendable (String) -> PastedRedirect) async {
      guard let address = url.withLock({ $0 })?.absoluteString else { return }
      let forged = address.replacing(#/state=[^&]+/#, with: "state=another")
      let other = "https://example.com/callback?code=c"
      // The issuer comes last (RFC 9207).
      let cut = String(address.dropLast(3))
      for text in ["", "yes", other, forged, cut, "  <\(address)>\r\n"] {
        let result = accept(text)
        results.withLock { $0.append(result) }
      }
    }
  }

  // Edge cases 39 and 40
  @Test("the pasted address of the redirect signs in; another sign-in's, or half of it, is refused")
  func paste() async throws {
    let fixture = try await AuthenticationFixture()
    let paster = Paster()
    let status = try await fixture.authenticator.signIn(
      "default", with: .authorizationCode(delegate: paster, timeout: .seconds(60)))
    #expect(status.state == .valid)
    #expect(
      paster.results.withLock { $0 }
        == [.notRedirect, .notRedirect, .foreign, .foreign, .foreign, .accepted])
  }

  /// Keeps asking for an address, whatever becomes of its task.
  private final class DeafReader: AuthenticationDelegate {
    let browser: LoopbackBrowser?
    let gate = Gate()
    let hasBegun = Gate()

    init(_ browser: LoopbackBrowser?) { self.browser = browser }

    func showAuthorizationPage(_ url: URL) async throws {
      try await browser?.showAuthorizationPage(url)
    }

    func readPastedRedirects(_ accept: @Sendable (String) -> PastedRedirect) async {
      hasBegun.open()
      await gate.waitWhateverHappens()
    }
  }

  @Test("a delegate that ignores its cancellation holds up no sign-in that has succeeded")
  func deafReader() async throws {
    let fixture = try await AuthenticationFixture()
    let reader = DeafReader(LoopbackBrowser())
    defer { reader.gate.open() }
    let signIn = Task {
      try await fixture.authenticator.signIn(
        "default", with: .authorizationCode(delegate: reader, timeout: .seconds(60)))
    }
    try await fixture.clock.sleeper(of: AuthorizationCodeFlow.patience)
    fixture.clock.advance(by: AuthorizationCodeFlow.patience)
    #expect(try await signIn.joined.state == .valid)
  }

  @Test("a delegate that ignores its cancellation does not defeat the sign-in's time limit")
  func deafReaderTimesOut() async throws {
    let fixture = try await AuthenticationFixture()
    let reader = DeafReader(nil)
    defer { reader.gate.open() }
    let signIn = Task {
      try await fixture.authenticator.signIn(
        "default", with: .authorizationCode(delegate: reader, timeout: .seconds(60)))
    }
    await reader.hasBegun.wait()
    try await fixture.clock.sleeper(of: .seconds(60))
    fixture.clock.advance(by: .seconds(60))
    try await fixture.clock.sleeper(of: AuthorizationCodeFlow.patience)
    fixture.clock.advance(by: AuthorizationCodeFlow.patience)
    #expect(signInFailure(await error { try await signIn.joined }) == .timedOut)
  }

  @Test("a renewal keeps the chosen organisation, and the next sign-in forgets it")
  func choice() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let authenticator = fixture.authenticator
    #expect(try await authenticator.tenantID(of: "default") == nil)
    try await authenticator.chooseOrganisation("42", name: "Acme", of: "default")
    fixture.clock.advance(by: .seconds(3_600))
    _ = try await authenticator.credential(for: "default")
    #expect(await fixture.refreshes() == 1)
    #expect(try await fixture.peer().tenantID(of: "default") == "42")
    let stored = try #require(try await authenticator.storedLogin(of: "default"))
    #expect(stored.isOwn && stored.organisationName == "Acme" && stored.organisationID == "42")
    try await fixture.signIn()
    #expect(try await authenticator.tenantID(of: "default") == nil)
  }
}
