// The names are those of C, and appcore.h documents the functions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CAppCore

@c @implementation
public func appcore_event_free(_ event: UnsafeMutablePointer<appcore_event>?) {
  CEvent.free(event)
}

@c @implementation
public func appcore_event_fd(_ core: OpaquePointer?) -> CInt {
  (try? CoreTable.core(core).call { $0.events.descriptor }) ?? -1
}

@c @implementation
public func appcore_next_event(
  _ core: OpaquePointer?, _ timeout: CInt,
  _ event: UnsafeMutablePointer<UnsafeMutablePointer<appcore_event>?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  event?.pointee = nil
  return CError.outcome(error) {
    try CoreTable.core(core).call { core in
      guard let event else { throw Misuse.badArgument(message: "event is NULL") }
      event.pointee = try core.nextEvent(timeout: max(-1, timeout)).flatMap { CEvent.make($0) }
    }
  }
}

@c @implementation
public func appcore_cancel(
  _ core: OpaquePointer?, _ request: appcore_request,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CError.outcome(error) { try CoreTable.core(core).call { try $0.cancel(request) } }
}
