// The names are those of C, and appcore.h documents the functions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

import Authentication
public import CAppCore

@c @implementation
public func appcore_sign_in(
  _ core: OpaquePointer?, _ account: UnsafePointer<CChar>?,
  _ options: UnsafePointer<appcore_sign_in_options>?,
  _ request: UnsafeMutablePointer<appcore_request>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.start(core, request, error) { core in
    let name = try core.account(account)
    let choices = try CStructure.copy(options, empty: appcore_sign_in_options())
    let replaces = choices.replace != 0
    let kind = try SignInKind(choices)
    return { request in
      try await request.signIn(
        name, with: kind.method(EventDelegate(request: request, account: name)),
        replaces: replaces)
    }
  }
}

@c @implementation
public func appcore_paste_redirect(
  _ core: OpaquePointer?, _ request: appcore_request, _ address: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CError.outcome(error) {
    try CoreTable.core(core).call {
      try $0.paste(try CText.required(address, "address"), into: request)
    }
  }
}

@c @implementation
public func appcore_sign_out(
  _ core: OpaquePointer?, _ account: UnsafePointer<CChar>?, _ flags: CUnsignedInt,
  _ request: UnsafeMutablePointer<appcore_request>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.start(core, request, error) { core in
    let known = APPCORE_SIGN_OUT_FORGET | APPCORE_SIGN_OUT_FORCE | APPCORE_SIGN_OUT_ALL
    guard flags & ~CUnsignedInt(known) == 0 else {
      throw Misuse.badArgument(message: "unknown flags of signing out")
    }
    let forgets = flags & CUnsignedInt(APPCORE_SIGN_OUT_FORGET) != 0
    let forces = flags & CUnsignedInt(APPCORE_SIGN_OUT_FORCE) != 0
    if flags & CUnsignedInt(APPCORE_SIGN_OUT_ALL) != 0 {
      guard account == nil else {
        throw Misuse.badArgument(message: "APPCORE_SIGN_OUT_ALL needs NULL as the account")
      }
      return { try await $0.signOutOfAll(removesOtherLogins: forces, forgets: forgets) }
    }
    let name = try core.account(account)
    return { try await $0.signOut(name, removesOtherLogin: forces, forgets: forgets) }
  }
}

@c @implementation
public func appcore_status(
  _ core: OpaquePointer?, _ account: UnsafePointer<CChar>?,
  _ request: UnsafeMutablePointer<appcore_request>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.start(core, request, error) { core in
    let name = try CText.optional(account, "account")
    let path = core.configurationPath
    return { try await $0.status(account: name, configurationPath: path) }
  }
}

@c @implementation
public func appcore_organisations(
  _ core: OpaquePointer?, _ account: UnsafePointer<CChar>?,
  _ request: UnsafeMutablePointer<appcore_request>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.start(core, request, error) { core in
    let name = try core.account(account)
    return { try await $0.listOrganisations(account: name) }
  }
}

@c @implementation
public func appcore_choose_organisation(
  _ core: OpaquePointer?, _ account: UnsafePointer<CChar>?, _ organisation: UnsafePointer<CChar>?,
  _ request: UnsafeMutablePointer<appcore_request>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.start(core, request, error) { core in
    let name = try core.account(account)
    let id = try CText.required(organisation, "organisation")
    return { try await $0.chooseOrganisation(id, account: name) }
  }
}
