import JSONReading
import Models
import Presentation
import Storage

/// A stream of a tap, with its columns: the fields of a record, as the record lists them, and those
/// that every row has.
package enum SingerStream: String, Sendable, CaseIterable {
  case accounts
  case contacts
  case invoices
  case payments
  case invoiceLines = "invoice_lines"
  case invoiceTaxes = "invoice_taxes"
  case invoicePayments = "invoice_payments"

  /// A column of a row.
  struct Column: Sendable {
    let name: String
    let kind: FieldDescription.Kind
  }

  /// The records that the rows are made of.
  var kind: ChangedKind {
    switch self {
    case .accounts: .account
    case .contacts: .contact
    case .payments: .payment
    case .invoices, .invoiceLines, .invoiceTaxes, .invoicePayments: .invoice
    }
  }

  /// True for the rows of a list of each invoice.
  var isPart: Bool { kind == .invoice && self != .invoices }

  /// The columns that identify a row.
  package var keys: [String] {
    if self == .accounts { return ["account"] }
    return isPart ? ["account", "invoice_id", "position"] : ["account", "id"]
  }

  /// The columns without which a row says nothing: whoever selects the stream gets them.
  var automatic: Set<String> { Set(keys + ["change", "deleted_at"]) }

  /// The columns, in the order in which ``SingerRows`` writes them.
  var columns: [Column] {
    Self.columns(of: fields) + more.map { Column(name: $0, kind: Self.kind(ofOther: $0)) }
  }

  private var fields: [FieldDescription] {
    switch self {
    case .accounts: []
    case .contacts: FieldDescription.all(of: Contact.self)
    case .invoices: FieldDescription.all(of: Invoice.self)
    case .payments: FieldDescription.all(of: Payment.self)
    case .invoiceLines: FieldDescription.all(of: InvoiceLine.self)
    case .invoiceTaxes: FieldDescription.all(of: TaxSubtotal.self)
    case .invoicePayments: FieldDescription.all(of: InvoicePayment.self)
    }
  }

  /// The columns that are no fields of the record.
  private var more: [String] {
    if isPart { return ["account", "invoice_id", "position", "change", "deleted_at"] }
    let organisation = ["source", "organisation_id", "organisation_name"]
    return ["account"] + (self == .accounts ? organisation : [])
      + ["change", "deleted_at", "deleted_reason", "_sdc_deleted_at"]
  }

  private static func kind(ofOther name: String) -> FieldDescription.Kind {
    switch name {
    case "change", "position": .integer
    case "deleted_at", "_sdc_deleted_at": .instant
    default: .text
    }
  }

  /// Returns the columns of fields; those of a part that every record has belong to the row.
  private static func columns(of fields: [FieldDescription], prefix: String = "") -> [Column] {
    fields.flatMap { field in
      if case .part(let inner) = field.kind, field.isRequired {
        return columns(of: inner, prefix: field.snakeName + "_")
      }
      let name = prefix.isEmpty ? RowLayout.column(of: field) : prefix + field.snakeName
      return [Column(name: name, kind: field.kind)]
    }
  }
}

extension SingerStream {
  /// The JSON schema of the rows.
  ///
  /// - Parameter isKept: returns false for a column that is left out.
  func schema(_ decimals: SingerConfiguration.Decimals, _ isKept: (String) -> Bool) -> JSONValue {
    let keys = Set(keys)
    var properties = JSONObject()
    for column in columns where isKept(column.name) {
      let schema = Self.schema(of: column.kind, decimals, isKey: keys.contains(column.name))
      properties.append(column.name, schema)
    }
    return .object(["type": .text("object"), "properties": .object(properties)])
  }

  private static func schema(
    of kind: FieldDescription.Kind, _ decimals: SingerConfiguration.Decimals, isKey: Bool = false
  ) -> JSONValue {
    func schema(_ type: String, _ more: [(String, JSONValue)] = []) -> JSONValue {
      var object: JSONObject = [
        "type": isKey ? .text(type) : .list([.text(type), .text("null")])
      ]
      for (name, value) in more { object.append(name, value) }
      return .object(object)
    }
    func record(_ fields: [FieldDescription]) -> JSONValue {
      var properties = JSONObject()
      for field in fields {
        properties.append(field.snakeName, self.schema(of: field.kind, decimals))
      }
      return schema("object", [("properties", .object(properties))])
    }
    switch kind {
    case .identifier, .text, .currency, .word: return schema("string")
    case .flag: return schema("boolean")
    case .integer: return schema("integer")
    case .day: return schema("string", [("format", .text("date"))])
    case .instant: return schema("string", [("format", .text("date-time"))])
    case .decimal, .amount:
      return decimals == .number
        ? schema("number") : schema("string", [("format", .text("x-singer.decimal"))])
    case .texts: return schema("array", [("items", .object(["type": .text("string")]))])
    case .part(let fields): return record(fields)
    case .list(let fields): return schema("array", [("items", record(fields))])
    }
  }
}
