import Foundation

/// The same invoices as static pages: as Xero writes them, and in the plain shape of an API that is
/// described in the configuration.
struct SamplePages {
  enum Shape: String, CaseIterable {
    case xero, plain

    /// The name of the list, with which the names of its files begin.
    fileprivate var list: String { self == .xero ? "Invoices" : rawValue }
  }

  let invoices: SampleInvoices
  let pageSize: Int

  var count: Int { (invoices.count + pageSize - 1) / pageSize }

  /// Writes the pages into a folder, as `<list>-<page size>-<page>.json`; page 0 is the answer to
  /// a request for changes.
  ///
  /// - Returns: the number of bytes.
  func write(_ shape: Shape, to folder: String) throws -> Int {
    var size = 0
    for number in 0...count {
      let text = page(number, shape)
      try text.write(to: URL(filePath: "\(folder)/\(shape.list)-\(pageSize)-\(number).json"))
      size += text.count
    }
    if shape == .xero {
      // The answer to a request for the count.
      let text = opening(shape, isEmpty: false) + invoices[0].xero() + "]}"
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/Invoices-1-1.json"))
    }
    return size
  }

  /// Returns a page.
  func page(_ number: Int, _ shape: Shape) -> Data {
    let rows =
      number == 0 ? 0..<0 : (number - 1) * pageSize..<min(number * pageSize, invoices.count)
    var text = Data(opening(shape, isEmpty: rows.isEmpty).utf8)
    for index in rows {
      if index > rows.lowerBound { text.append(UInt8(ascii: ",")) }
      let invoice = invoices[index]
      text.append(contentsOf: (shape == .xero ? invoice.xero() : plain(invoice)).utf8)
    }
    text.append(contentsOf: "]}".utf8)
    return text
  }

  private func opening(_ shape: Shape, isEmpty: Bool) -> String {
    let pages = isEmpty ? 0 : count
    let rows = isEmpty ? 0 : invoices.count
    return switch shape {
    case .xero:
      #"{"Id":"x","Status":"OK","pagination":{"page":1,"pageSize":\#(pageSize),"pageCount":\#(pages),"itemCount":\#(rows)},"Invoices":["#
    case .plain: #"{"meta":{"pages":\#(pages),"count":\#(rows)},"invoices":["#
    }
  }

  private func plain(_ invoice: SampleInvoice) -> String {
    let text = SampleInvoice.text
    let lines = invoice.lines.map { line in
      #"{"id":"\#(line.id)","title":"\#(line.description)","qty":\#(line.quantity),"price":"\#(text(line.unitAmount))","tax":"\#(text(line.taxAmount))","sum":"\#(text(line.amount))","account":"\#(line.accountCode)"}"#
    }
    let contact = invoice.contact
    return
      #"{"id":"\#(invoice.id)","number":"\#(invoice.number)","kind":"\#(invoice.isBill ? "bill" : "sale")","state":"\#(invoice.status)","customer":{"id":"\#(contact.id)","name":"\#(contact.name)","email":"\#(contact.email)"},"currency":"\#(invoice.currency)","date":"\#(SampleInvoice.date(invoice.issueDay))","due":"\#(SampleInvoice.date(invoice.dueDay))","updated_at":\#(invoice.updatedAt),"reference":"\#(invoice.reference)","amounts":{"net":"\#(text(invoice.subtotal))","tax":"\#(text(invoice.tax))","total":"\#(text(invoice.total))","paid":"\#(text(invoice.paid))","due":"\#(text(invoice.total - invoice.paid))"},"lines":[\#(lines.joined(separator: ","))]}"#
  }
}
