import AppCore
import Documents
import ErrorCodes

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

  /// Adds an event with a document.
  func post(_ kind: CoreEvent.Kind, _ document: some Encodable) {
    events.add(CoreEvent(kind, of: id, json: JSONText.encode(document)))
  }

  /// Runs the request, and adds its last event.
  func run(_ body: @Sendable (CoreRequest) async throws -> Void) async {
    defer { redirects.close() }
    do {
      try await body(self)
      events.add(CoreEvent(.done, of: id))
    } catch {
      let failures = Failures(error, in: core.configuration).calling(program)
      let kind: CoreEvent.Kind = failures.first.status == .interrupted ? .cancelled : .failed
      events.add(CoreEvent(kind, of: id, json: failures.json(), failure: failures.first))
    }
  }
}
