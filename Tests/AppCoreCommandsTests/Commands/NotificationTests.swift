import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(10)), .enabled(if: FakeNotifications.isAvailable))
struct NotificationTests {
  @Test("an account that needs its user is shown on the desktop once, not at every failure")
  func once() async throws {
    let desktop = try await FakeNotifications()
    let fixture = try CommandFixture(["[]"])
    let variables = ["DBUS_SESSION_BUS_ADDRESS": desktop.address]
    for _ in 1...2 {
      let ending = await fixture.run("status", "--notify", variables: variables)
      #expect(ending.status == .done && ending.output.isEmpty && ending.errors.isEmpty)
    }
    let shown = try desktop.shown()
    #expect(shown.map(\.summary) == ["appcore cannot sync default"])
    #expect(
      shown.first?.body == "default: Sign in with: appcore login --account default --token-stdin")
    // Once solved, the same need is news again.
    await fixture.logIn()
    _ = await fixture.run("status", "--notify", variables: variables)
    #expect(try desktop.shown().count == 1)
    #expect(await fixture.run("logout").status == .done)
    _ = await fixture.run("status", "--notify", variables: variables)
    #expect(try desktop.shown().count == 2)
  }

  @Test("records that no complete sync has brought up to date are shown with its day")
  func oldRecords() async throws {
    let desktop = try await FakeNotifications()
    let fixture = try await CommandFixture.loggedIn()
    let then = Timestamp(Date().addingTimeInterval(-21 * 86_400))
    try await fixture.store([try SampleRecords.invoice("a")], at: then)
    let ending = await fixture.run(
      "status", "--notify", variables: ["DBUS_SESSION_BUS_ADDRESS": desktop.address])
    #expect(ending.status == .done, "\(ending.errors)")
    let shown = try #require(try desktop.shown().first)
    #expect(shown.summary == "appcore has no recent sync of default")
    #expect(
      shown.body == """
        default: invoices: last complete sync on \(LocalTime(then).day). See: appcore status
        """)
  }

  @Test("accounts that share a login need one sign-in")
  func sharedLogin() async throws {
    let desktop = try await FakeNotifications()
    let fixture = try CommandFixture(
      configuration: """
        accounts:
          firm: { provider: acme, tenantID: one }
          acme: { login: firm, tenantID: two }
        defaultAccount: firm
        """)
    let ending = await fixture.run(
      "status", "--notify", variables: ["DBUS_SESSION_BUS_ADDRESS": desktop.address])
    #expect(ending.status == .done, "\(ending.errors)")
    let bodies = try desktop.shown().map(\.body)
    #expect(bodies == ["firm: Sign in with: appcore login --account firm --token-stdin"])
  }

  @Test("the command in a notification names the configuration of the timer's environment")
  func configuration() async throws {
    let desktop = try await FakeNotifications()
    let fixture = try CommandFixture()
    let file = fixture.home.file("config/appcore/config.yaml")
    _ = await fixture.run(
      "status", "--notify",
      variables: ["DBUS_SESSION_BUS_ADDRESS": desktop.address, "APPCORE_CONFIG": file])
    #expect(
      try desktop.shown().first?.body
        == "default: Sign in with: appcore --config \(file) login --account default --token-stdin")
  }

  @Test("without a desktop a needed action is no error, and is shown once there is one")
  func noDesktop() async throws {
    let fixture = try CommandFixture()
    let ending = await fixture.run(
      "status", "--notify", variables: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"])
    #expect(ending.status == .done && ending.errors.isEmpty)
    let desktop = try await FakeNotifications()
    _ = await fixture.run(
      "status", "--notify", variables: ["DBUS_SESSION_BUS_ADDRESS": desktop.address])
    #expect(try desktop.shown().count == 1)
    #expect(await fixture.run("status", "--notify", "--json").status == .usage)
  }
}
