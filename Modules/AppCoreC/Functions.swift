// The names are those of C, and appcore.h documents the functions, in this order. The compiler
// compares their types with the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CAppCore
import CPoolMonitor
import Models
import Sync
import SystemSupport

public typealias CString = UnsafePointer<CChar>
public typealias TextSlot = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
public typealias CountSlot = UnsafeMutablePointer<Int64>
public typealias RequestSlot = UnsafeMutablePointer<appcore_request>
public typealias EventSlot = UnsafeMutablePointer<UnsafeMutablePointer<appcore_event>?>
/// The place where a caller wants an error; `nil` if only the kind matters.
public typealias ErrorSlot = UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>

// MARK: Errors and texts

@c @implementation
public func appcore_error_free(_ error: UnsafeMutablePointer<appcore_error>?) {
  CError.free(error)
}

@c @implementation
public func appcore_string_free(_ text: UnsafeMutablePointer<CChar>?) {
  CText.free(text)
}

/// The address of the version as a C string that is never freed: a pointer is not `Sendable`.
private let versionAddress = UInt(bitPattern: CText.copy(Version.number))

@c @implementation
public func appcore_version() -> CString? {
  CString(bitPattern: versionAddress)
}

@c @implementation
public func appcore_interface_version() -> CInt {
  CInt(APPCORE_INTERFACE_VERSION)
}

// MARK: Opening and closing

@c @implementation
public func appcore_open(
  _ config: CString?, _ options: CString?, _ core: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: ErrorSlot?
) -> CInt {
  core?.pointee = nil
  return CError.outcome(error) {
    guard let core else { throw Misuse.badArgument(message: "core is NULL") }
    try OwningProcess.claim()
    let config = try CText.optional(config, "config")
    let options = try Choices.read(options, "options") { try OpeningOptions(&$0) }
    // Before the first thread of the pool, whose start begins the monitoring.
    pool_monitor_stop()
    core.pointee = CoreTable.add(
      try BlockedSignals.whileStartingThreads { try OpenCore(config: config, options) })
  }
}

@c @implementation
public func appcore_close(_ core: OpaquePointer?, _ error: ErrorSlot?) -> CInt {
  CError.outcome(error) {
    if let core { try CoreTable.remove(core).close() }
  }
}

// MARK: Requests and events

@c @implementation
public func appcore_event_free(_ event: UnsafeMutablePointer<appcore_event>?) {
  CEvent.free(event)
}

@c @implementation
public func appcore_event_is_last(_ type: CInt) -> CInt {
  type >= APPCORE_EVENT_DONE ? 1 : 0
}

@c @implementation
public func appcore_next_request(_ core: OpaquePointer?) -> appcore_request {
  (try? CoreTable.core(core).call { $0.nextRequest() }) ?? 0
}

@c @implementation
public func appcore_event_fd(_ core: OpaquePointer?) -> CInt {
  (try? CoreTable.core(core).call { $0.events.descriptor }) ?? -1
}

@c @implementation
public func appcore_next_event(
  _ core: OpaquePointer?, _ timeout: CInt, _ event: EventSlot?, _ error: ErrorSlot?
) -> CInt {
  event?.pointee = nil
  return calling(core, error) { core in
    guard let event else { throw Misuse.badArgument(message: "event is NULL") }
    event.pointee = try core.nextEvent(timeout: max(-1, timeout)).flatMap { CEvent.make($0) }
  }
}

@c @implementation
public func appcore_cancel(
  _ core: OpaquePointer?, _ request: appcore_request, _ error: ErrorSlot?
) -> CInt {
  calling(core, error) { try $0.cancel(request) }
}

// MARK: Accounts

@c @implementation
public func appcore_sign_in(
  _ core: OpaquePointer?, _ account: CString?, _ options: CString?, _ request: RequestSlot?,
  _ error: ErrorSlot?
) -> CInt {
  starting(core, request, error) { core in
    let name = try core.account(account)
    let options = try Choices.read(options, "options") { try SignInOptions(&$0) }
    return { try await $0.signIn(name, options) }
  }
}

@c @implementation
public func appcore_paste_redirect(
  _ core: OpaquePointer?, _ request: appcore_request, _ address: CString?, _ error: ErrorSlot?
) -> CInt {
  calling(core, error) { try $0.paste(try CText.required(address, "address"), into: request) }
}

@c @implementation
public func appcore_sign_out(
  _ core: OpaquePointer?, _ account: CString?, _ options: CString?, _ request: RequestSlot?,
  _ error: ErrorSlot?
) -> CInt {
  starting(core, request, error) { core in
    let options = try Choices.read(options, "options") { try SignOutOptions(&$0) }
    guard options.isForAll else {
      let name = try core.account(account)
      return { try await $0.signOut(name, options) }
    }
    guard account == nil else {
      throw Misuse.badArgument(message: "the option all needs NULL as the account")
    }
    return { try await $0.signOutOfAll(options) }
  }
}

@c @implementation
public func appcore_status(
  _ core: OpaquePointer?, _ account: CString?, _ request: RequestSlot?, _ error: ErrorSlot?
) -> CInt {
  starting(core, request, error) { core in
    let name = try CText.optional(account, "account")
    let path = core.configurationPath
    return { try await $0.status(account: name, configurationPath: path) }
  }
}

@c @implementation
public func appcore_organisations(
  _ core: OpaquePointer?, _ account: CString?, _ request: RequestSlot?, _ error: ErrorSlot?
) -> CInt {
  starting(core, request, error) { core in
    let name = try core.account(account)
    return { try await $0.listOrganisations(account: name) }
  }
}

@c @implementation
public func appcore_choose_organisation(
  _ core: OpaquePointer?, _ account: CString?, _ organisation: CString?,
  _ request: RequestSlot?, _ error: ErrorSlot?
) -> CInt {
  starting(core, request, error) { core in
    let name = try core.account(account)
    let id = try CText.required(organisation, "organisation")
    return { try await $0.chooseOrganisation(id, account: name) }
  }
}

// MARK: Setting up

@c @implementation
public func appcore_providers(
  _ core: OpaquePointer?, _ json: TextSlot?, _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) { $0.providers() }
}

@c @implementation
public func appcore_sign_in_ways(
  _ core: OpaquePointer?, _ account: CString?, _ json: TextSlot?, _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) { try $0.signInWays(account: $0.account(account)) }
}

@c @implementation
public func appcore_add_account(
  _ core: OpaquePointer?, _ account: CString?, _ options: CString?, _ json: TextSlot?,
  _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) { core in
    let name = try CText.required(account, "account")
    let options = try Choices.read(options, "options") { try NewAccountOptions(&$0) }
    return try core.addAccount(name, options)
  }
}

@c @implementation
public func appcore_rename_account(
  _ core: OpaquePointer?, _ account: CString?, _ name: CString?, _ request: RequestSlot?,
  _ error: ErrorSlot?
) -> CInt {
  starting(core, request, error) { _ in
    let account = try CText.required(account, "account")
    let name = try CText.required(name, "name")
    return { try await $0.renameAccount(account, to: name) }
  }
}

@c @implementation
public func appcore_remove_account(
  _ core: OpaquePointer?, _ account: CString?, _ options: CString?, _ request: RequestSlot?,
  _ error: ErrorSlot?
) -> CInt {
  starting(core, request, error) { _ in
    let account = try CText.required(account, "account")
    let forgets = try Choices.read(options, "options") { try $0.flag("forget") }
    return { try await $0.removeAccount(account, forgets: forgets) }
  }
}

// MARK: Syncing and live changes

@c @implementation
public func appcore_sync(
  _ core: OpaquePointer?, _ account: CString?, _ resource: CString?, _ options: CString?,
  _ request: RequestSlot?, _ error: ErrorSlot?
) -> CInt {
  starting(core, request, error) { core in
    let name = try core.account(account)
    let wanted = try CText.required(resource, "resource")
    let known = Resource(rawValue: wanted)
    guard known != nil || wanted == "all" else {
      let names = (Resource.named.map(\.rawValue) + ["all"]).joined(separator: ", ")
      throw Misuse.badArgument(message: "unknown resource '\(wanted)'; available: \(names)")
    }
    let options = try Choices.read(options, "options") { try SyncOptions(&$0) }
    return { try await $0.sync(known, account: name, options) }
  }
}

@c @implementation
public func appcore_watch(
  _ core: OpaquePointer?, _ request: RequestSlot?, _ error: ErrorSlot?
) -> CInt {
  starting(core, request, error) { _ in { try await $0.watch() } }
}

// MARK: Files of invoices

@c @implementation
public func appcore_fetch_documents(
  _ core: OpaquePointer?, _ account: CString?, _ options: CString?, _ request: RequestSlot?,
  _ error: ErrorSlot?
) -> CInt {
  numbering(core, request, error) { core in
    let name = try core.account(account)
    let wanted = try Choices.read(options, "options") {
      try WantedDocuments(&$0, account: name)
    }
    return try core.start(module: "documents") { try await $0.fetchDocuments(wanted) }
  }
}

@c @implementation
public func appcore_export_documents(
  _ core: OpaquePointer?, _ account: CString?, _ options: CString?, _ request: RequestSlot?,
  _ error: ErrorSlot?
) -> CInt {
  starting(core, request, error) { core in
    let name = try core.account(account)
    let wanted = try Choices.read(options, "options") { try WantedExport(&$0, account: name) }
    return { try await $0.exportDocuments(wanted) }
  }
}

// MARK: Requests of feature modules

@c @implementation
public func appcore_session(
  _ core: OpaquePointer?, _ module: CString?, _ options: CString?, _ error: ErrorSlot?
) -> CInt {
  calling(core, error) { core in
    let module = try ModuleName.required(module)
    try core.setSession(module, to: try ModuleName.values(options, of: module))
  }
}

@c @implementation
public func appcore_send(
  _ core: OpaquePointer?, _ account: CString?, _ module: CString?, _ address: CString?,
  _ options: CString?, _ request: RequestSlot?, _ error: ErrorSlot?
) -> CInt {
  numbering(core, request, error) { core in
    let account = try core.account(account)
    let module = try ModuleName.required(module)
    let address = try CText.required(address, "address")
    let wanted = try Choices.read(options, "options") {
      try ModuleRequest(&$0, to: address, account: account, module: module)
    }
    let defaults = core.useSession(module)
    return try core.start(module: module) { try await $0.send(wanted, defaults) }
  }
}

@c @implementation
public func appcore_cancel_session(
  _ core: OpaquePointer?, _ module: CString?, _ error: ErrorSlot?
) -> CInt {
  calling(core, error) { $0.cancelSession(try ModuleName.required(module)) }
}

// MARK: Reading

@c @implementation
public func appcore_invoices(
  _ core: OpaquePointer?, _ query: CString?, _ json: TextSlot?, _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) { try $0.invoices(query) }
}

@c @implementation
public func appcore_invoice_count(
  _ core: OpaquePointer?, _ query: CString?, _ count: CountSlot?, _ error: ErrorSlot?
) -> CInt {
  counting(core, count, error) { try $0.invoiceCount(query) }
}

@c @implementation
public func appcore_invoice(
  _ core: OpaquePointer?, _ account: CString?, _ id: CString?, _ json: TextSlot?,
  _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) {
    try $0.invoice(CText.required(id, "id"), account: $0.account(account))
  }
}

@c @implementation
public func appcore_invoice_summary(
  _ core: OpaquePointer?, _ query: CString?, _ by: CString?, _ json: TextSlot?,
  _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) { try $0.summary(query, by: CText.optional(by, "by") ?? "month") }
}

@c @implementation
public func appcore_contacts(
  _ core: OpaquePointer?, _ query: CString?, _ json: TextSlot?, _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) { try $0.contacts(query) }
}

@c @implementation
public func appcore_contact_count(
  _ core: OpaquePointer?, _ query: CString?, _ count: CountSlot?, _ error: ErrorSlot?
) -> CInt {
  counting(core, count, error) { try $0.contactCount(query) }
}

@c @implementation
public func appcore_contact(
  _ core: OpaquePointer?, _ account: CString?, _ name: CString?, _ json: TextSlot?,
  _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) {
    try $0.contact(CText.required(name, "name"), account: $0.account(account))
  }
}

@c @implementation
public func appcore_payments(
  _ core: OpaquePointer?, _ query: CString?, _ json: TextSlot?, _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) { try $0.payments(query) }
}

@c @implementation
public func appcore_payment_count(
  _ core: OpaquePointer?, _ query: CString?, _ count: CountSlot?, _ error: ErrorSlot?
) -> CInt {
  counting(core, count, error) { try $0.paymentCount(query) }
}

@c @implementation
public func appcore_payment(
  _ core: OpaquePointer?, _ account: CString?, _ id: CString?, _ json: TextSlot?,
  _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) {
    try $0.payment(CText.required(id, "id"), account: $0.account(account))
  }
}

@c @implementation
public func appcore_changes(
  _ core: OpaquePointer?, _ query: CString?, _ json: TextSlot?, _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) { try $0.changes(query) }
}

@c @implementation
public func appcore_documents(
  _ core: OpaquePointer?, _ query: CString?, _ json: TextSlot?, _ error: ErrorSlot?
) -> CInt {
  reading(core, json, error) { try $0.documents(query) }
}

@c @implementation
public func appcore_cancel_reading(
  _ core: OpaquePointer?, _ reading: CString?, _ error: ErrorSlot?
) -> CInt {
  calling(core, error) { $0.cancelReadings(named: try CText.required(reading, "reading")) }
}

// MARK: What functions of the same shape share

private func calling(
  _ core: OpaquePointer?, _ error: ErrorSlot?, _ body: (OpenCore) throws -> Void
) -> CInt {
  CError.outcome(error) { try CoreTable.core(core).call(body) }
}

/// - Parameter prepare: reads the arguments, and returns the body of the request.
private func starting(
  _ core: OpaquePointer?, _ request: RequestSlot?, _ error: ErrorSlot?,
  _ prepare: (OpenCore) throws -> @Sendable (CoreRequest) async throws -> Void
) -> CInt {
  numbering(core, request, error) { try $0.start(try prepare($0)) }
}

/// - Parameter start: starts a request, and returns its number.
private func numbering(
  _ core: OpaquePointer?, _ request: RequestSlot?, _ error: ErrorSlot?,
  _ start: (OpenCore) throws -> UInt64
) -> CInt {
  request?.pointee = 0
  return calling(core, error) { core in
    // In an assignment it would not be evaluated without a place for the number.
    let number = try start(core)
    request?.pointee = number
  }
}

private func reading(
  _ core: OpaquePointer?, _ json: TextSlot?, _ error: ErrorSlot?,
  _ read: (OpenCore) throws -> String
) -> CInt {
  json?.pointee = nil
  return calling(core, error) { core in
    guard let json else { throw Misuse.badArgument(message: "json is NULL") }
    json.pointee = CText.copy(try read(core))
  }
}

private func counting(
  _ core: OpaquePointer?, _ count: CountSlot?, _ error: ErrorSlot?,
  _ read: (OpenCore) throws -> Int
) -> CInt {
  count?.pointee = 0
  return calling(core, error) { core in
    guard let count else { throw Misuse.badArgument(message: "count is NULL") }
    count.pointee = Int64(try read(core))
  }
}
