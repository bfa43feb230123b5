// The names are those of C, and appcore.h documents the functions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CAppCore
import Models
import Sync

@c @implementation
public func appcore_sync(
  _ core: OpaquePointer?, _ account: UnsafePointer<CChar>?, _ resource: UnsafePointer<CChar>?,
  _ options: UnsafePointer<appcore_sync_options>?,
  _ request: UnsafeMutablePointer<appcore_request>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.start(core, request, error) { core in
    let name = try core.account(account)
    let wanted = try CText.required(resource, "resource")
    let known = Resource(rawValue: wanted)
    guard known != nil || wanted == "all" else {
      let names = (Resource.allCases.map(\.rawValue) + ["all"]).joined(separator: ", ")
      throw Misuse.badArgument(message: "unknown resource '\(wanted)'; available: \(names)")
    }
    let options = try SyncOptions(CStructure.copy(options, empty: appcore_sync_options()))
    return { try await $0.sync(known, account: name, options) }
  }
}

@c @implementation
public func appcore_watch(
  _ core: OpaquePointer?, _ request: UnsafeMutablePointer<appcore_request>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.start(core, request, error) { _ in { try await $0.watch() } }
}
