import CAppCore
import Glibc

/// Events as the C interface returns them.
enum CEvent {
  /// Returns an event in memory of its own; `nil` if there is none left.
  static func make(_ event: CoreEvent) -> UnsafeMutablePointer<appcore_event>? {
    guard let memory = malloc(MemoryLayout<appcore_event>.size) else { return nil }
    let copy = memory.bindMemory(to: appcore_event.self, capacity: 1)
    copy.initialize(
      to: appcore_event(
        type: event.kind.type, request: event.request,
        json: event.json.flatMap { UnsafePointer(CText.copy($0)) },
        error: event.failure.flatMap { UnsafePointer(CError.make($0)) }))
    return copy
  }

  static func free(_ event: UnsafeMutablePointer<appcore_event>?) {
    guard let event else { return }
    CText.free(event.pointee.json)
    CError.free(UnsafeMutablePointer(mutating: event.pointee.error))
    Glibc.free(event)
  }
}
