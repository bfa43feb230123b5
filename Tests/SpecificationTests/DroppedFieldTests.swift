import Foundation
import Testing

/// Each member of a vendor's specification is read, or the guide says why it is not stored.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Vendors.isThere, "\(Vendors.absence)"))
struct DroppedFieldTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The words of a provider's section in the guide; `…` stands for any letters.
  private func words(_ provider: String) throws -> [String] {
    let guide = try String(
      contentsOf: Self.root.appending(path: "Modules/AppCore/AppCore.docc/ProviderFields.md"),
      encoding: .utf8)
    let section = try #require(
      guide.components(separatedBy: "\n## ").first { $0.hasPrefix(provider + "\n") })
    return section.matches(of: #/`([^`]+)`/#).map { String($0.1) }
  }

  private func source(_ provider: String) throws -> String {
    let folder = Self.root.appending(path: "Modules/Providers/" + provider)
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
  }

  private func fits(_ member: String, _ word: String) -> Bool {
    let parts = word.components(separatedBy: "…")
    guard parts.count == 2 else { return member == word }
    return member.hasPrefix(parts[0]) && member.hasSuffix(parts[1])
      && member.count >= parts[0].count + parts[1].count
  }

  private func check(_ provider: String, _ members: [String: [String]]) throws {
    let (words, source) = (try words(provider), try source(provider))
    for (type, members) in members {
      try #require(!members.isEmpty, "\(provider) has no \(type)")
      let missing = members.filter { member in
        !source.contains("\"\(member)\"") && !words.contains { fits(member, $0) }
      }
      #expect(missing.isEmpty, "\(provider) \(type): neither read nor explained: \(missing)")
    }
  }

  private func members(_ specification: OpenAPI, _ types: String...) -> [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: types.map { type in
        (type, (specification.schema(type)["properties"]?.members.keys.sorted()) ?? [])
      })
  }

  @Test("every member of Xero's invoices and contacts is read or explained")
  func xero() throws {
    try check(
      "Xero",
      members(
        OpenAPI(try Vendors.yaml("xero_accounting.yaml")), "Invoice", "LineItem",
        "LineItemTracking", "LineItemItem", "Contact", "Address", "Phone"))
  }

  @Test("every member of QuickBooks' documents is read or explained")
  func quickbooks() throws {
    let schema = try QuickBooksSchema.read()
    let types = [
      "Invoice", "CreditMemo", "Bill", "VendorCredit", "TxnTaxDetail", "Line",
      "SalesItemLineDetail", "ItemBasedExpenseLineDetail", "AccountBasedExpenseLineDetail",
      "DiscountLineDetail", "TaxLineDetail", "CustomField",
    ]
    try check(
      "QuickBooks",
      Dictionary(
        uniqueKeysWithValues: types.map { ($0, schema.members(of: $0).map(\.name)) }))
  }

  @Test("every member of Stripe's invoices is read or explained")
  func stripe() throws {
    try check(
      "Stripe",
      members(
        OpenAPI(try Vendors.json("stripe-spec3-2023-08-16.json")), "invoice", "line_item",
        "invoices_status_transitions", "invoice_tax_amount", "tax_rate", "price"))
  }

  @Test("every member of Square's invoices and orders is read or explained")
  func square() throws {
    try check(
      "Square",
      members(
        OpenAPI(try Vendors.json("square-api.json")), "Invoice", "InvoiceRecipient",
        "InvoicePaymentRequest", "InvoiceCustomField", "InvoiceAttachment", "Order",
        "OrderLineItem", "OrderLineItemModifier", "OrderLineItemTax", "OrderServiceCharge",
        "Tender", "Address"))
  }
}
