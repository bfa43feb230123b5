import Models
import Providers

/// The described list of the sample invoices' plain shape.
enum PlainResource {
  static func invoices(pageSize: Int) throws -> RESTResource {
    var resource = RESTResource(.invoices, path: "/invoices")
    resource.rows = try path("invoices")
    resource.paging = RESTPaging(.page)
    resource.paging.parameter = "page"
    resource.paging.sizeParameter = "per_page"
    resource.paging.size = pageSize
    resource.paging.total = try path("meta.pages")
    resource.count = try path("meta.count")
    var watermark = RESTWatermark(parameter: "updated_since")
    watermark.form = .seconds
    watermark.order = ["sort": "updated_at"]
    resource.changes = .watermark(watermark)
    resource.forms.money = .text
    resource.forms.instant = .seconds
    resource.fields.fields = try fields
    resource.fields.lists["lines"] = RESTList(
      path: try path("lines"),
      fields: try [
        "id": "id", "description": "title", "quantity": "qty", "unitAmount": "price",
        "taxAmount": "tax", "lineAmount": "sum", "accountCode": "account",
      ].mapValues(field))
    return resource
  }

  private static var fields: [String: RESTField] {
    get throws {
      var fields = try [
        "id": "id", "number": "number", "contact.id": "customer.id",
        "contact.name": "customer.name", "contact.email": "customer.email",
        "currency": "currency", "issueDate": "date", "dueDate": "due",
        "updatedAt": "updated_at", "reference": "reference", "subtotal": "amounts.net",
        "totalTax": "amounts.tax", "total": "amounts.total", "amountPaid": "amounts.paid",
        "amountDue": "amounts.due",
      ].mapValues(field)
      fields["type"] = try field("kind")
      fields["type"]?.words = ["sale": "invoice", "bill": "bill"]
      fields["status"] = try field("state")
      fields["status"]?.words = ["PAID": "paid", "AUTHORISED": "open", "VOIDED": "void"]
      return fields
    }
  }

  private static func field(_ text: String) throws -> RESTField {
    RESTField(.path(try path(text)))
  }

  private static func path(_ text: String) throws -> RESTPath {
    guard let path = RESTPath(text) else { throw WrongAnswer() }
    return path
  }
}
