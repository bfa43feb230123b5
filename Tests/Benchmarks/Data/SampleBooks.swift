import Foundation
import Providers
import SyncSupport

/// The sample invoices with what settles them, as static pages of Xero's lists: 12 payments for 10
/// invoices, 8 credit notes for 100, and a tenth as many contacts.
///
/// Paid invoices have one payment or two, and open ones at most one credit note, each inside the
/// invoice as well, as Xero sends them.
struct SampleBooks {
  /// The number of records in each list.
  struct Counts: Equatable {
    var invoices = 0
    var payments = 0
    var creditNotes = 0
    var contacts = 0
  }

  let invoices: SampleInvoices
  let counts: Counts
  private let paid: Int
  private let open: Int
  private let seed: UInt64 = 2_027

  init(invoices: SampleInvoices) {
    self.invoices = invoices
    var (paid, open) = (0, 0)
    for index in 0..<invoices.count {
      switch invoices[index].status {
      case "PAID": paid += 1
      case "AUTHORISED": open += 1
      default: break
      }
    }
    (self.paid, self.open) = (paid, open)
    counts = Counts(
      invoices: invoices.count, payments: invoices.count * 12 / 10,
      creditNotes: min(invoices.count * 8 / 100, open), contacts: max(invoices.count / 10, 1))
  }

  /// Writes the pages of every list into a folder.
  func write(to folder: String) throws {
    var lists: [String: PageFile] = [:]
    func begin<List: XeroList>(_: List.Type, of count: Int) {
      lists[List.path] = PageFile(List.path, of: count, List.pageSize, folder)
    }
    begin(XeroInvoices.self, of: counts.invoices)
    begin(XeroPayments.self, of: counts.payments)
    begin(XeroCreditNotes.self, of: counts.creditNotes)
    begin(XeroMoneyOnAccount.Prepayments.self, of: 0)
    begin(XeroMoneyOnAccount.Overpayments.self, of: 0)
    begin(XeroContacts.self, of: counts.contacts)
    var (paidBefore, openBefore) = (0, 0)
    for index in 0..<invoices.count {
      let invoice = invoices[index]
      var random = SeededRandom(seed: seed, part: UInt64(index))
      var payments: [SamplePayment] = []
      var credit: SampleCredit?
      if invoice.status == "PAID" {
        let number = Self.share(of: counts.payments, paidBefore, paid)
        payments = Self.payments(number, of: invoice, &random)
        paidBefore += 1
      } else if invoice.status == "AUTHORISED" {
        if Self.share(of: counts.creditNotes, openBefore, open) > 0 {
          credit = Self.credit(openBefore, of: invoice, &random)
        }
        openBefore += 1
      }
      try lists["Invoices"]?.add(invoice.xero(payments: payments, credit: credit))
      for payment in payments { try lists["Payments"]?.add(payment.row(of: invoice)) }
      if let credit { try lists["CreditNotes"]?.add(credit.row(of: invoice)) }
    }
    var random = SeededRandom(seed: seed)
    for index in 0..<counts.contacts {
      let contact =
        index < invoices.contacts.count
        ? invoices.contacts[index] : SampleNames.contact(&random)
      try lists["Contacts"]?.add(contact.row(updatedAt: 1_677_628_800 + index))
    }
    for name in lists.keys { try lists[name]?.finish() }
  }

  /// Returns the part of a number that an element has, if all parts are nearly equal.
  private static func share(of count: Int, _ index: Int, _ elements: Int) -> Int {
    count * (index + 1) / elements - count * index / elements
  }

  private static func payments(
    _ count: Int, of invoice: SampleInvoice, _ random: inout SeededRandom
  ) -> [SamplePayment] {
    (0..<count).map { index in
      SamplePayment(
        id: SampleNames.identifier(&random), day: invoice.dueDay - 10 + random.below(30),
        amount: invoice.total * (index + 1) / count - invoice.total * index / count,
        updatedAt: invoice.updatedAt)
    }
  }

  private static func credit(
    _ index: Int, of invoice: SampleInvoice, _ random: inout SeededRandom
  ) -> SampleCredit {
    SampleCredit(
      id: SampleNames.identifier(&random), number: "CN-\(10_000 + index)",
      allocation: SampleNames.identifier(&random), day: invoice.issueDay + random.below(20),
      amount: invoice.total / (2 + random.below(8)), updatedAt: invoice.updatedAt)
  }
}

/// The files of a list's pages, `<list>-<page size>-<page>.json`, written one after the other.
///
/// Page 0 is the answer to a request for changes, and a page of one record that to a request for
/// the count.
private struct PageFile {
  private let list: String
  private let count: Int
  private let pageSize: Int
  private let folder: String
  private var rows: [String] = []
  private var page = 0

  init(_ list: String, of count: Int, _ pageSize: Int, _ folder: String) {
    (self.list, self.count, self.pageSize, self.folder) = (list, count, pageSize, folder)
  }

  mutating func add(_ row: String) throws {
    if page == 0, rows.isEmpty { try write([row], of: count, size: 1, page: 1) }
    rows.append(row)
    if rows.count == pageSize { try next() }
  }

  mutating func finish() throws {
    if !rows.isEmpty || page == 0 { try next() }
    try write([], of: 0, size: pageSize, page: 0)
    if count == 0 { try write([], of: 0, size: 1, page: 1) }
  }

  private mutating func next() throws {
    page += 1
    try write(rows, of: count, size: pageSize, page: page)
    rows = []
  }

  private func write(_ rows: [String], of count: Int, size: Int, page: Int) throws {
    let pages = (count + size - 1) / size
    let text = """
      {"Id":"x","Status":"OK","pagination":{"page":\(max(page, 1)),"pageSize":\(size),\
      "pageCount":\(pages),"itemCount":\(count)},"\(list)":[\(rows.joined(separator: ","))]}
      """
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(list)-\(size)-\(page).json"))
  }
}
