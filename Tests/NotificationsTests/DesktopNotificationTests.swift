import Notifications
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .enabled(if: FakeNotifications.isAvailable))
struct DesktopNotificationTests {
  private let notification = DesktopNotification(
    summary: "appcore cannot sync <firm>", body: "Sign in & \"retry\" <b>now</b>")

  @Test("the desktop receives the text, with markup escaped in the body")
  func shown() async throws {
    let desktop = try await FakeNotifications()
    #expect(await notification.show(on: desktop.address) == .shown)
    let shown = try #require(try desktop.shown().first)
    #expect(shown.application == "appcore" && shown.summary == "appcore cannot sync <firm>")
    #expect(shown.body == "Sign in &amp; \"retry\" &lt;b&gt;now&lt;/b&gt;")
  }

  @Test("a session without a bus, or a bus without a service, shows nothing")
  func absent() async throws {
    #expect(await notification.show(on: nil) == .noService)
    #expect(await notification.show(on: "unix:path=/nowhere/bus") == .noService)
    let bus = try await FakeKeyring.start(service: nil)
    defer { bus.stop() }
    let address = try #require(bus.environment["DBUS_SESSION_BUS_ADDRESS"])
    #expect(await notification.show(on: address) == .noService)
  }

  @Test("a refusal of the service is reported")
  func refused() async throws {
    let desktop = try await FakeNotifications(refuses: true)
    #expect(await notification.show(on: desktop.address) == .failed)
  }
}
