import Foundation
import HTTPTypes
import Networking
import Sandbox

/// The pages of an organisation, and what they say of amounts due, in plain code.
struct PlainPages {
  typealias Documents = [String: PlainDocument]

  let session: Session
  let url: URL
  let organisation: String

  /// Returns the documents by the identifiers that the library stores them by.
  func documents(of provider: SandboxProvider) async throws -> Documents {
    switch provider {
    case .xero: try await xero()
    case .quickbooks: try await quickbooks()
    case .stripe: try await stripe()
    case .square: try await square()
    case .moneybird: try await moneybird()
    }
  }

  private func page(
    _ path: String, _ query: [(String, String)] = [], _ fields: [String: String] = [:],
    body: String? = nil
  ) async throws -> PlainObject {
    let whole = url.appending(path: path).appending(
      queryItems: query.map { URLQueryItem(name: $0.0, value: $0.1) })
    var headers: HTTPFields = [.accept: "application/json"]
    if body != nil { headers[.contentType] = "application/json" }
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    let response = try await session.send(
      try Request(
        method: body == nil ? .get : .post, url: whole, fields: headers,
        body: body.map { .bytes(Array($0.utf8)) }))
    return try PlainObject(page: response.body)
  }
}

extension PlainPages {
  private func xero() async throws -> Documents {
    func rows(_ list: String) async throws -> [PlainObject] {
      let page = try await page(
        "api.xro/2.0/\(list)", [("pageSize", "1000")], ["Xero-tenant-id": organisation])
      return page.objects(list)
    }
    func isDead(_ row: PlainObject) -> Bool {
      ["VOIDED", "DELETED"].contains(row.text("Status") ?? "")
    }
    var documents: Documents = [:]
    for row in try await rows("Invoices") {
      documents[row.text("InvoiceID") ?? ""] = PlainDocument(
        total: row.amount("Total"), due: row.amount("AmountDue"), isClosed: isDead(row))
    }
    for list in ["CreditNotes", "Prepayments", "Overpayments"] {
      for row in try await rows(list) {
        let isNote = list == "CreditNotes"
        let id = row.text("CreditNoteID") ?? ""
        if isNote {
          documents[id] = PlainDocument(
            total: row.amount("Total"), due: row.amount("RemainingCredit"), isClosed: isDead(row))
        }
        for part in row.objects("Allocations") where !isDead(row) && !part.flag("IsDeleted") {
          let invoice = part["Invoice"]
          let (day, amount) = (part.day(ofMilliseconds: "Date"), part.amount("Amount"))
          documents[invoice.text("InvoiceID") ?? ""]?
            .add(day, row.text(isNote ? "CreditNoteNumber" : "Reference"), amount)
          if isNote { documents[id]?.add(day, invoice.text("InvoiceNumber"), amount) }
        }
      }
    }
    for row in try await rows("Payments") where !isDead(row) {
      documents[row["Invoice"].text("InvoiceID") ?? ""]?
        .add(row.day(ofMilliseconds: "Date"), row.text("Reference"), row.amount("Amount"))
    }
    return documents
  }

  private func quickbooks() async throws -> Documents {
    func rows(_ kind: String) async throws -> [PlainObject] {
      let page = try await page(
        "v3/company/\(organisation)/query",
        [("query", "select * from \(kind) startposition 1 maxresults 1000")])
      return page["QueryResponse"].objects(kind)
    }
    let prefixes = [
      "Invoice": "", "CreditMemo": "creditmemo/", "Bill": "bill/", "VendorCredit": "vendorcredit/",
    ]
    var documents: Documents = [:]
    for (kind, prefix) in prefixes {
      for row in try await rows(kind) {
        documents[prefix + (row.text("Id") ?? "")] = PlainDocument(
          total: row.amount("TotalAmt"), due: row.amount("Balance"),
          isClosed: row.text("PrivateNote") == "Voided")
      }
    }
    for row in try await rows("Payment") + rows("BillPayment") {
      let number =
        row.text("PaymentRefNum") ?? row.text("DocNumber") ?? row["PaymentMethodRef"].text("name")
        ?? row.text("PayType")
      for line in row.objects("Line") {
        guard let link = line.objects("LinkedTxn").first, let kind = link.text("TxnType"),
          let prefix = prefixes[kind]
        else { continue }
        documents[prefix + (link.text("TxnId") ?? "")]?
          .add(row.text("TxnDate"), number, line.amount("Amount"))
      }
    }
    return documents
  }

  private func stripe() async throws -> Documents {
    func rows(_ list: String) async throws -> [PlainObject] {
      let page = try await page(
        "v1/\(list)", [("limit", "100"), ("expand[]", "data.charge")],
        ["Stripe-Account": organisation])
      return page.objects("data")
    }
    var documents: Documents = [:]
    var numbers: [String: String] = [:]
    for row in try await rows("invoices") {
      let (id, currency) = (row.text("id") ?? "", row.text("currency"))
      numbers[id] = row.text("number")
      var document = PlainDocument(
        total: row.minorUnits("total", of: currency),
        due: row.minorUnits("amount_remaining", of: currency),
        isClosed: ["void", "uncollectible"].contains(row.text("status") ?? ""))
      let times = row["status_transitions"]
      let paid = row.minorUnits("amount_paid", of: currency)
      let means = row["charge"]["payment_method_details"].text("type")
      if paid != 0 { document.add(times.day(ofSeconds: "paid_at"), means, paid) }
      let used =
        row.minorUnits("ending_balance", of: currency)
        - row.minorUnits("starting_balance", of: currency)
      // Of a void invoice, the balance has it back.
      if used != 0, row.text("status") != "void" {
        document.add(times.day(ofSeconds: "finalized_at"), "customer balance", used)
      }
      documents[id] = document
    }
    for row in try await rows("credit_notes") {
      let (invoice, amount) = (
        row.text("invoice") ?? "", row.minorUnits("total", of: row.text("currency"))
      )
      let isVoid = row.text("status") == "void"
      var note = PlainDocument(total: amount, due: 0, isClosed: isVoid)
      if !isVoid {
        let day = row.day(ofSeconds: "created")
        note.add(day, numbers[invoice], amount)
        documents[invoice]?.add(day, row.text("number"), amount)
        if row.text("type") == "post_payment" { documents[invoice]?.giveBack(amount) }
      }
      documents[row.text("id") ?? ""] = note
    }
    return documents
  }

  private func square() async throws -> Documents {
    func money(_ row: PlainObject, _ key: String) -> Decimal {
      row[key].minorUnits("amount", of: row[key].text("currency"))
    }
    let page = try await page(
      "v2/invoices", [("location_id", organisation), ("limit", "100")])
    var documents: Documents = [:]
    var invoices: [String: String] = [:]
    for row in page.objects("invoices") {
      let requests = row.objects("payment_requests")
      let total = requests.reduce(0) { $0 + money($1, "computed_amount_money") }
      let paid = requests.reduce(0) { $0 + money($1, "total_completed_amount_money") }
      let rounding = requests.reduce(0) { $0 + money($1, "rounding_adjustment_included_money") }
      let status = row.text("status") ?? ""
      let isClosed = ["CANCELED", "FAILED", "REFUNDED", "PARTIALLY_REFUNDED"].contains(status)
      var document = PlainDocument(
        total: total,
        due: isClosed ? money(row, "next_payment_amount_money") : total - paid + rounding,
        isClosed: isClosed)
      if rounding != 0 { document.add(nil, nil, -rounding) }
      documents[row.text("id") ?? ""] = document
      invoices[row.text("order_id") ?? ""] = row.text("id")
    }
    let ids = invoices.keys.map { "\"\($0)\"" }.joined(separator: ",")
    let orders = try await self.page("v2/orders/batch-retrieve", body: "{\"order_ids\":[\(ids)]}")
    for order in orders.objects("orders") {
      let id = invoices[order.text("id") ?? ""] ?? ""
      for tender in order.objects("tenders") {
        documents[id]?.add(
          tender.text("created_at").map { String($0.prefix(10)) }, tender.text("type"),
          money(tender, "amount_money"))
      }
      for refund in order.objects("refunds") {
        documents[id]?.add(
          refund.text("created_at").map { String($0.prefix(10)) }, refund.text("reason"),
          -money(refund, "amount_money"))
      }
    }
    return documents
  }

  private func moneybird() async throws -> Documents {
    let lists = [
      ("sales_invoices", ""), ("external_sales_invoices", "external/"),
      ("documents/purchase_invoices", ""),
    ]
    var documents: Documents = [:]
    for (list, prefix) in lists {
      for (id, document) in try await moneybird(list) { documents[prefix + id] = document }
    }
    return documents
  }

  private func moneybird(_ name: String) async throws -> Documents {
    let path = "api/v2/\(organisation)/\(name)/synchronization.json"
    let list = try await page(path, [("filter", "state:all,period:19000101..99991231")])
    let ids = list.objects("rows").compactMap { $0.text("id") }.map { "\"\($0)\"" }
    let rows = try await page(path, body: "{\"ids\":[\(ids.joined(separator: ","))]}")
      .objects("rows")
    var numbers: [String: String] = [:]
    for row in rows {
      numbers[row.text("id") ?? ""] =
        name == "sales_invoices" ? row.text("invoice_id") : row.text("reference")
    }
    var documents: Documents = [:]
    for row in rows {
      let total = row.amount("total_price_incl_tax")
      let isPaid = row.text("state") == "paid"
      var due = row.amount("total_unpaid")
      if name == "documents/purchase_invoices" {
        due = isPaid ? 0 : row.objects("payments").reduce(total) { $0 - $1.amount("price") }
      }
      var document = PlainDocument(
        total: total, due: due, isClosed: row.text("state") == "uncollectible")
      for payment in row.objects("payments") {
        let number =
          payment.text("credit_invoice_id").flatMap { numbers[$0] }
          ?? payment.text("transaction_identifier")
        document.add(payment.text("payment_date"), number, payment.amount("price"))
      }
      documents[row.text("id") ?? ""] = document
    }
    return documents
  }
}
