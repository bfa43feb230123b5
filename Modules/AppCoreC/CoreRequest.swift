import AppCore
import CAppCore
import ErrorCodes
import Presentation

/// A request of a C program, while it is under way.
struct CoreRequest: Sendable {
  let id: UInt64
  let core: ApplicationCore
  /// The addresses that the program passes to the request, if it is a sign-in in a browser.
  let redirects = PastedRedirects()
  private let events: EventQueue
  /// The words that begin the commands in hints.
  private let program: String

  init(id: UInt64, core: ApplicationCore, events: EventQueue, program: String) {
    (self.id, self.core, self.events, self.program) = (id, core, events, program)
  }

  func post(_ type: Int, isChangeOfRecords: Bool = false, _ document: some Encodable) {
    events.add(
      CoreEvent(
        type: type, request: id, isChangeOfRecords: isChangeOfRecords,
        json: JSONText.encode(document)))
  }

  /// Runs the request, and adds its last event.
  func run(_ body: @Sendable (CoreRequest) async throws -> Void) async {
    defer { redirects.close() }
    do {
      try await body(self)
      events.add(CoreEvent(type: APPCORE_EVENT_DONE, request: id))
    } catch {
      let failures = Failures(error, in: core.configuration).calling(program)
      let isCancelled = failures.first.status == .interrupted
      events.add(
        CoreEvent(
          type: isCancelled ? APPCORE_EVENT_CANCELLED : APPCORE_EVENT_FAILED, request: id,
          json: failures.json(), failure: failures.first))
    }
  }
}
