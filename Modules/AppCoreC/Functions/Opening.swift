// The names are those of C, and appcore.h documents the functions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CAppCore

// The compiler compares the types with the header.

@c @implementation
public func appcore_error_free(_ error: UnsafeMutablePointer<appcore_error>?) {
  CError.free(error)
}

@c @implementation
public func appcore_string_free(_ text: UnsafeMutablePointer<CChar>?) {
  CText.free(text)
}

@c @implementation
public func appcore_version() -> UnsafePointer<CChar>? {
  VersionText.pointer
}

@c @implementation
public func appcore_open(
  _ options: UnsafePointer<appcore_options>?,
  _ core: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  core?.pointee = nil
  return CError.outcome(error) {
    guard let core else { throw Misuse.badArgument(message: "core is NULL") }
    try OwningProcess.claim()
    let options = try CStructure.copy(options, empty: appcore_options())
    core.pointee = CoreTable.add(try OpenCore(options))
  }
}

@c @implementation
public func appcore_close(
  _ core: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CError.outcome(error) {
    if let core { try CoreTable.remove(core).close() }
  }
}
