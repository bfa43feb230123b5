import Foundation
import HTTPTypes
import JSONReading
import Models
import Providers

/// The lines of a resource below its path.
struct ProposedResource {
  private static let indent = 8

  private let rows: SampledRows
  private let paging: ProposedPaging
  private let items: [URLQueryItem]
  private let path: String
  private(set) var lines: [ProposedLine] = []
  /// The required fields that no member suggests.
  private(set) var missing: [String] = []

  /// - Parameters:
  ///   - rows: the rows of the page.
  ///   - page: the page, whose other members are about the list.
  ///   - url: the address of the page.
  ///   - path: the path of the list.
  ///   - fields: the header fields of the response.
  init(
    _ rows: SampledRows, around page: JSONValue, _ url: URL, path: String, _ fields: HTTPFields
  ) {
    (self.rows, self.path) = (rows, path)
    let members = page.members.map { SampledMember.all(of: [$0]) } ?? []
    let around = members.filter { $0.path != rows.path && !$0.path.hasPrefix(rows.path + ".") }
    items =
      URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.filter {
        SampledMember.path("", $0.name) != nil && SampledMember.path("", $0.value ?? "") != nil
      } ?? []
    let id = ProposedFields(members: rows.members, names: rows.names).find("id", as: .text)
    paging = ProposedPaging(around, items, fields, id: id?.0.path, rows: rows.count)
  }

  mutating func describe() {
    let kept = items.filter { !paging.parameters.contains($0.name) }
    if !kept.isEmpty {
      add("query:", "from the address")
      for (name, items) in Dictionary(grouping: kept, by: \.name).sorted(by: { $0.key < $1.key }) {
        let values = items.compactMap(\.value).map(ConfigurationDraft.quoted)
        let text = values.count == 1 ? values[0] : "[" + values.joined(separator: ", ") + "]"
        add("\(ConfigurationDraft.quoted(name)): \(text)", nested: 2)
      }
    }
    add(
      "rows: \(ConfigurationDraft.quoted(rows.path))", "guessed: a list of \(rows.count) objects")
    if let count = paging.count { add("count: \(count.text)", count.comment("a number")) }
    for line in paging.warning { add("# \(line)") }
    add("paging: " + (paging.text ?? "{ style: none }"), paging.comment)
    switch rows.resource {
    case .contacts: describeContacts()
    case .payments: describePayments()
    default: describeInvoices()
    }
  }

  private mutating func add(_ text: String, _ comment: String? = nil, nested: Int = 0) {
    lines.append(ProposedLine(Self.indent + nested, text, comment))
  }

  private mutating func add(_ field: String, _ line: ProposedLine?, placeholder: String) {
    if let line { return lines.append(line) }
    missing.append(field)
    add("# TO COMPLETE: \(field): \(placeholder)", nested: 2)
  }

  private mutating func describeContacts() {
    let fields = ProposedFields(members: rows.members, names: ProposedNames.contact)
    add("fields:")
    let indent = Self.indent + 2
    add("id", fields.line("id", as: .text, indent: indent), placeholder: "PATH")
    for name in ["name", "email", "phone", "taxNumber"] {
      if let line = fields.line(name, as: .text, indent: indent) { lines.append(line) }
    }
    if let line = fields.line("updatedAt", as: .instant, indent: indent) { lines.append(line) }
  }

  private mutating func describeInvoices() {
    var fields = ProposedFields(members: rows.members, names: ProposedNames.invoice)
    for name in ["issueDate", "dueDate"] {
      if let (date, _) = fields.find(name, as: .day) { fields.dates.insert(date.path) }
    }
    fields.amounts = ProposedAmounts(fields)
    let total = fields.find("total", as: .money)
    fields.money = total?.1.word
    if let money = fields.money { add("money: \(money)", "guessed from the values of total") }
    let updated = fields.find("updatedAt", as: .instant)
    if updated != nil {
      add("# changes: { model: watermark, parameter: updated_since }")
      add("#   if the list can be limited to the records changed since an instant")
    }
    if total == nil {
      add(
        "# detail: { path: \(ConfigurationDraft.quoted(path + "/{id}")) }",
        "if only the record itself has the total; the fields are then those of the record")
    }
    add("fields:")
    let indent = Self.indent + 2
    let id = fields.line("id", as: .text, indent: indent)
    let number = fields.find("number", as: .text).map {
      fields.line("id", $0, $1, as: .text, indent: indent)
    }
    add("id", id ?? number, placeholder: "PATH")
    if let line = fields.line("number", as: .text, indent: indent) { lines.append(line) }
    lines += type(fields, indent: indent)
    describeStatus(fields, indent: indent)
    lines.append(currency(fields, indent: indent))
    for name in ["issueDate", "dueDate"] {
      if let line = fields.line(name, as: .day, indent: indent) { lines.append(line) }
    }
    if let line = fields.line("updatedAt", as: .instant, indent: indent) { lines.append(line) }
    lines += fields.party(indent: indent)
    for name in ["subtotal", "totalTax"] {
      if let line = fields.line(name, as: .money, indent: indent) { lines.append(line) }
    }
    add("total", fields.line("total", as: .money, indent: indent), placeholder: "PATH")
    for name in ["amountPaid", "amountDue"] {
      if let line = fields.line(name, as: .money, indent: indent) { lines.append(line) }
    }
    lines += fields.list(indent: indent)
  }

  private mutating func describePayments() {
    // The members of an invoice inside a payment are none of the payment.
    let members = rows.members.filter { !$0.path.hasPrefix("invoice.") }
    var fields = ProposedFields(members: members, names: ProposedNames.payment)
    if let (date, _) = fields.find("date", as: .day) { fields.dates.insert(date.path) }
    fields.money = fields.find("amount", as: .money)?.1.word
    if let money = fields.money { add("money: \(money)", "guessed from the values of amount") }
    add("fields:")
    let indent = Self.indent + 2
    add("id", fields.line("id", as: .text, indent: indent), placeholder: "PATH")
    lines.append(
      ProposedLine(indent, "type: { value: receipt }", "assumed of every row: from a customer"))
    lines += fields.words(
      "status", known: PaymentStatus.allCases.map(\.rawValue),
      ProposedNames.paymentStatuses.mapValues(\.rawValue), example: "completed", indent: indent)
    lines.append(currency(fields, indent: indent))
    if let line = fields.line("date", as: .day, indent: indent) { lines.append(line) }
    add("amount", fields.line("amount", as: .money, indent: indent), placeholder: "PATH")
    for name in ["method", "reference"] {
      if let line = fields.line(name, as: .text, indent: indent) { lines.append(line) }
    }
    if let line = fields.line("updatedAt", as: .instant, indent: indent) { lines.append(line) }
    for (name, field) in [("id", "contactID"), ("name", "contactName")] {
      guard let (_, member, form) = fields.party.first(where: { $0.field == name }) else {
        continue
      }
      lines.append(fields.line(field, member, form, as: .text, indent: indent))
    }
    let invoice = rows.members.first { ["invoice.id", "invoice.uuid"].contains($0.path) }
    let named = fields.find(["invoiceid", "invoiceuuid", "invoice"], as: .text)?.0
    if let invoice = invoice ?? named, let (amount, _) = fields.find("amount", as: .money) {
      let (id, amount) = (
        ConfigurationDraft.quoted(invoice.path), ConfigurationDraft.quoted(amount.path)
      )
      lines.append(
        ProposedLine(
          indent, "allocations: { path: ., fields: { invoiceID: \(id), amount: \(amount) } }",
          invoice.comment("the invoice that the payment pays")))
    }
  }

  private func currency(_ fields: ProposedFields, indent: Int) -> ProposedLine {
    fields.line("currency", as: .currency, indent: indent)
      ?? ProposedLine(
        indent, "currency: { value: EUR }", "assumed: no member names one; set your own")
  }

  /// Returns the lines of the type: the words of a member if appcore knows all of them, else a
  /// constant.
  private func type(_ fields: ProposedFields, indent: Int) -> [ProposedLine] {
    let words = ProposedNames.types.mapValues(\.rawValue)
    let values = fields.find("type", as: .text)?.0.values.compactMap(\.word) ?? []
    guard !values.isEmpty, values.allSatisfy({ words[SampledMember.plain($0)] != nil }) else {
      return [
        ProposedLine(indent, "type: { value: \(rows.type.rawValue) }", "assumed of every row")
      ]
    }
    return fields.words(
      "type", known: InvoiceType.allCases.map(\.rawValue), words, example: "invoice", indent: indent
    )
  }

  private mutating func describeStatus(_ fields: ProposedFields, indent: Int) {
    let words = fields.words(
      "status", known: InvoiceStatus.allCases.map(\.rawValue),
      ProposedNames.statuses.mapValues(\.rawValue), example: "open", indent: indent)
    guard words.isEmpty else {
      lines += words
      return
    }
    let paid = rows.members.first { member in
      guard case .bool? = member.values.first else { return false }
      return ["paid", "ispaid"].contains(member.name)
    }
    let line = paid.map { member in
      ProposedLine(
        indent,
        "status: { path: \(ConfigurationDraft.quoted(member.path)), map: { \"true\": paid }, "
          + "default: open }", member.comment("true or false"))
    }
    add("status", line, placeholder: "{ path: PATH, map: { THEIRS: open } }")
  }
}
