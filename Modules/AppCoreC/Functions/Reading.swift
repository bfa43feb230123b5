// The names are those of C, and appcore.h documents the functions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CAppCore

@c @implementation
public func appcore_invoices(
  _ core: OpaquePointer?, _ query: UnsafePointer<appcore_query>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.text(core, json, error) {
    try $0.invoices(CStructure.copy(query, empty: appcore_query()))
  }
}

@c @implementation
public func appcore_invoice_count(
  _ core: OpaquePointer?, _ query: UnsafePointer<appcore_query>?,
  _ count: UnsafeMutablePointer<Int64>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.count(core, count, error) {
    try $0.invoiceCount(CStructure.copy(query, empty: appcore_query()))
  }
}

@c @implementation
public func appcore_invoice(
  _ core: OpaquePointer?, _ account: UnsafePointer<CChar>?, _ id: UnsafePointer<CChar>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.text(core, json, error) {
    try $0.invoice(CText.required(id, "id"), account: $0.account(account))
  }
}

@c @implementation
public func appcore_invoice_summary(
  _ core: OpaquePointer?, _ query: UnsafePointer<appcore_query>?, _ by: UnsafePointer<CChar>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.text(core, json, error) {
    try $0.summary(
      CStructure.copy(query, empty: appcore_query()),
      by: CText.optional(by, "by") ?? "month")
  }
}

@c @implementation
public func appcore_contacts(
  _ core: OpaquePointer?, _ query: UnsafePointer<appcore_query>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.text(core, json, error) {
    try $0.contacts(CStructure.copy(query, empty: appcore_query()))
  }
}

@c @implementation
public func appcore_contact_count(
  _ core: OpaquePointer?, _ query: UnsafePointer<appcore_query>?,
  _ count: UnsafeMutablePointer<Int64>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.count(core, count, error) {
    try $0.contactCount(CStructure.copy(query, empty: appcore_query()))
  }
}

@c @implementation
public func appcore_contact(
  _ core: OpaquePointer?, _ account: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<appcore_error>?>?
) -> CInt {
  CoreCall.text(core, json, error) {
    try $0.contact(CText.required(name, "name"), account: $0.account(account))
  }
}
