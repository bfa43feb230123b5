import JSONReading
import Models
import Presentation
import Storage

/// Writes changes as the rows of a stream, each in a message.
struct SingerRows {
  private let stream: SingerStream
  private let layout: RowLayout
  private let columns: [String]
  private let beginning: [UInt8]
  private let end: [UInt8]

  /// - Parameters:
  ///   - omitted: the columns that are left out.
  ///   - version: the version of the table.
  ///   - time: the time of the run.
  init(
    _ stream: SingerStream, without omitted: Set<String>, _ decimals: SingerConfiguration.Decimals,
    version: Int64, at time: Timestamp
  ) {
    self.stream = stream
    let names = stream.columns.map(\.name)
    layout = RowLayout(
      keeps: omitted.isEmpty ? [] : names.map { !omitted.contains($0) },
      hasNumbers: decimals == .number)
    columns = names.filter { !omitted.contains($0) }
    beginning = Array(#"{"type":"RECORD","stream":"\#(stream.rawValue)","record":"#.utf8)
    end = Array(#","version":\#(version),"time_extracted":"\#(time)"}"#.utf8) + [0x0A]
  }

  /// Appends the messages of a change.
  ///
  /// - Returns: their number.
  func append(_ change: StoredChange, to text: inout [UInt8]) -> Int {
    guard let record = change.record else { return appendForgotten(change, to: &text) }
    switch record {
    case .account(let source, var organisationID, var organisation):
      append(to: &text) { writer, text in
        writer.append(to: &text) { writer in
          writer.add("account", change.account)
          writer.add("source", source)
          writer.field("organisation_id", &organisationID)
          writer.field("organisation_name", &organisation)
          writer.addState(of: change)
        }
      }
    case .contact(var contact): append(&contact, of: change, to: &text)
    case .payment(let stored):
      var payment = stored.payment
      append(&payment, of: change, to: &text)
    case .invoice(let stored):
      var invoice = stored.invoice
      invoice.taxBreakdown = invoice.taxes
      switch stream {
      case .invoiceLines: return appendParts(invoice.lines, of: change, to: &text)
      case .invoiceTaxes: return appendParts(invoice.taxBreakdown, of: change, to: &text)
      case .invoicePayments: return appendParts(invoice.payments, of: change, to: &text)
      default: append(&invoice, of: change, to: &text)
      }
    }
    return 1
  }

  private func append(
    to text: inout [UInt8], _ row: (inout RecordWriter, inout [UInt8]) -> Void
  ) {
    text += beginning
    var writer = RecordWriter(layout)
    row(&writer, &text)
    text += end
  }

  private func append(
    _ record: inout some FieldListing, of change: StoredChange, to text: inout [UInt8]
  ) {
    append(to: &text) { writer, text in
      writer.append(&record, to: &text) { writer in
        writer.add("account", change.account)
        writer.addState(of: change)
      }
    }
  }

  private func appendParts(
    _ parts: [some FieldListing], of change: StoredChange, to text: inout [UInt8]
  ) -> Int {
    for (index, part) in parts.enumerated() {
      var (part, position, number) = (part, Int64(index + 1) as Int64?, change.change as Int64?)
      var deletedAt = change.deletedAt
      append(to: &text) { writer, text in
        writer.append(&part, to: &text) { writer in
          writer.add("account", change.account)
          writer.add("invoice_id", change.id)
          writer.field("position", &position)
          writer.field("change", &number)
          writer.field("deleted_at", &deletedAt)
        }
      }
    }
    return parts.count
  }

  /// Appends the row of a record of which nothing is known any more; parts of it say nothing.
  private func appendForgotten(_ change: StoredChange, to text: inout [UInt8]) -> Int {
    guard !stream.isPart else { return 0 }
    let deleted = change.deletedAt.map { JSONValue.text("\($0)") } ?? .null
    let known: [String: JSONValue] = [
      "account": .text(change.account), "id": .text(change.id), "change": .integer(change.change),
      "deleted_at": deleted, "_sdc_deleted_at": deleted,
      "deleted_reason": change.deletedReason.map(JSONValue.text) ?? .null,
    ]
    let row = JSONObject(columns, columns.map { known[$0] ?? .null })
    text += beginning
    text += JSONValue.object(row).json.utf8
    text += end
    return 1
  }
}

extension RecordWriter {
  /// Adds the columns that the row of every record has.
  fileprivate mutating func addState(of change: StoredChange) {
    var (number, deletedAt) = (change.change as Int64?, change.deletedAt)
    var reason = change.deletedReason
    field("change", &number)
    field("deleted_at", &deletedAt)
    field("deleted_reason", &reason)
    field("_sdc_deleted_at", &deletedAt)
  }
}
