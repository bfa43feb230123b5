import Models
package import Storage

/// A page of changes as JSON, each with the document of the record.
package enum ChangesDocument {
  /// Returns the document of a page; `nil` stands for no database, which has no position.
  package static func json(of page: ChangePage?) -> String {
    let frame = JSONFrame(name: "changes")
    var text = Array(frame.beginning.utf8)
    for (index, change) in (page?.changes ?? []).enumerated() {
      frame.append(isFirst: index == 0, to: &text) { append(change, to: &$0) }
    }
    // Before the end of the list are the other members.
    let next = page.map { "\"\($0.next)\"" } ?? "null"
    text += #"],"hasMore":\#(page?.hasMore == true),"next":\#(next),"schemaVersion":1,"#.utf8
    text += #""startsOver":\#(page?.startsOver == true)}"#.utf8
    return String(decoding: text, as: UTF8.self)
  }

  private static func append(_ change: StoredChange, to text: inout [UInt8]) {
    var writer = RecordWriter(isWhole: true)
    var record: [UInt8] = []
    appendRecord(of: change, to: &record)
    writer.append(to: &text) { writer in
      var number: Int64? = change.change
      writer.add("kind", change.kind.rawValue)
      writer.add("id", change.id)
      writer.field("change", &number)
      writer.addState(change.account, change.deletedAt, change.deletedReason)
      writer.add("record", json: record)
    }
  }

  /// Appends the document of the record; `null` if it is not stored any more.
  package static func appendRecord(of change: StoredChange, to text: inout [UInt8]) {
    switch change.record {
    case nil: text += "null".utf8
    case .invoice(let stored): InvoiceDocument.append(stored, withLines: true, to: &text)
    case .payment(let stored): PaymentDocument.append(stored, to: &text)
    case .contact(var contact):
      var writer = RecordWriter(isWhole: true)
      writer.append(&contact, to: &text) { writer in
        writer.addState(change.account, change.deletedAt, change.deletedReason)
      }
    case .account(let source, var organisationID, var organisation):
      var writer = RecordWriter(isWhole: true)
      writer.append(to: &text) { writer in
        writer.add("name", change.account)
        writer.add("source", source)
        writer.field("organisationID", &organisationID)
        writer.field("organisation", &organisation)
      }
    }
  }

  /// Appends an invoice as a line of an export: its document, or what is known of one that was
  /// forgotten.
  package static func appendInvoice(of change: StoredChange, to text: inout [UInt8]) {
    guard change.record == nil else { return appendRecord(of: change, to: &text) }
    var writer = RecordWriter(isWhole: true)
    writer.append(to: &text) { writer in
      writer.add("id", change.id)
      writer.addState(change.account, change.deletedAt, change.deletedReason)
    }
  }
}
