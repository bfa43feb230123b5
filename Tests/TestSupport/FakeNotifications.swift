import Foundation

/// A notification service on a D-Bus session of its own; it prints what it is asked to show.
package final class FakeNotifications: Sendable {
  /// A notification as it was requested.
  package struct Shown: Decodable, Equatable, Sendable {
    package let application: String
    package let summary: String
    package let body: String
  }

  private let bus: FakeKeyring
  private let service: ChildProcess

  /// The address of the bus.
  package var address: String { bus.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "" }

  /// True if the service can run here.
  package static var isAvailable: Bool { FakeKeyring.isAvailable }

  /// - Parameter refuses: whether every notification is refused.
  package init(refuses: Bool = false) async throws {
    bus = try await FakeKeyring.start(service: nil)
    let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "FakeNotifications/serve").path(percentEncoded: false)
    service = try ChildProcess(
      program, refuses ? ["refuses"] : [], environment: bus.environment)
    let service = service
    try await eventually("the service comes up") { service.output.contains("ready") }
  }

  /// The notifications so far.
  package func shown() throws -> [Shown] {
    try service.output.split(separator: "\n").dropFirst().map { line in
      try JSONDecoder().decode(Shown.self, from: Data(line.utf8))
    }
  }

  package func stop() {
    service.send(SIGKILL)
    bus.stop()
  }

  deinit { stop() }
}
