import Models
import Storage

/// The text of a journal: what it declares, and its transactions.
struct JournalPrinter {
  private let format: Journal.Format
  private let namesAccounts: Bool
  private var names: AccountNames
  /// The payees as they are printed, by the names of contacts.
  private var payees: [String: String] = [:]
  private var currencies: Set<Currency> = []

  init(_ journal: Journal) {
    (format, namesAccounts) = (journal.format, journal.namesAccounts)
    names = AccountNames(journal.accounts, journal.format)
  }

  /// The text before the transactions that were appended so far.
  var header: [UInt8] {
    let currencies = currencies.sorted { $0.code < $1.code }
    let accounts = names.undeclared
    let payees = Set(payees.values).sorted()
    var lines = ["; appcore writes this file anew with each export; do not edit it."]
    switch format {
    case .hledger:
      // hledger takes digits without a point for a mistake.
      lines += currencies.map { "commodity \(Self.sample($0, point: true)) \($0)" }
      lines += accounts.map { "account \($0.name)  ; type:\($0.type)" }
      lines += payees.map { "payee \($0)" }
    case .ledger:
      lines += currencies.map {
        "commodity \($0)\n    format \(Self.sample($0, point: false)) \($0)"
      }
      lines += accounts.map { "account \($0.name)" }
      lines += payees.map { "payee \($0)" }
      if !accounts.isEmpty { lines += Transaction.Tag.allCases.map { "tag \($0.rawValue)" } }
    case .beancount:
      lines += accounts.map { "\(CalendarDate.firstOf1900) open \($0.name)" }
    }
    return lines.flatMap { Array(($0 + "\n").utf8) }
  }

  private static func sample(_ currency: Currency, point: Bool) -> String {
    let digits = String(repeating: "0", count: currency.minorUnitDigits)
    return "1000" + (point || !digits.isEmpty ? "." : "") + digits
  }

  /// Appends a transaction of a document, after an empty line.
  mutating func append(
    _ transaction: Transaction, of stored: StoredInvoice, to text: inout [UInt8]
  ) {
    let invoice = stored.invoice
    currencies.insert(invoice.currency)
    var tags = transaction.tags
    if namesAccounts { tags.append((.account, stored.account)) }
    text += "\n\(transaction.day) \(transaction.isDoubtful ? "!" : "*") ".utf8
    let payee = payee(of: invoice.contact)
    switch format {
    case .hledger:
      let values = tags.map { "\($0.0.rawValue):\(JournalText.line($0.1, .value))" }
      text += "(\(Self.code(of: invoice))) \(payee) | \(transaction.note)".utf8
      text += "  ; \(values.joined(separator: ", "))\n".utf8
    case .ledger:
      text += "(\(Self.code(of: invoice))) \(payee)\n".utf8
      for (tag, value) in tags {
        let value = JournalText.line(value, .value)
        text += "    ; \(value.isEmpty ? ":\(tag.rawValue):" : "\(tag.rawValue): \(value)")\n".utf8
      }
    case .beancount: appendBeancount(transaction, tags, payee, invoice, to: &text)
    }
    for posting in transaction.postings {
      // A copy of this printer while the names grow would copy all of them.
      let account = names.name(of: posting.place, for: stored)
      Self.append(posting, account, invoice.currency, format, to: &text)
    }
  }

  private func appendBeancount(
    _ transaction: Transaction, _ tags: [(Transaction.Tag, String)], _ payee: String,
    _ invoice: Invoice, to text: inout [UInt8]
  ) {
    let number = invoice.number ?? invoice.id
    let link = JournalText.link(number)
    text += "\(payee) \(JournalText.quoted("\(transaction.note) \(number)"))".utf8
    if !link.isEmpty { text += " ^\(link)".utf8 }
    if tags.contains(where: { $0.0 == .undated }) { text += " #undated".utf8 }
    text += "\n".utf8
    for (tag, value) in tags where tag != .inv && tag != .undated {
      text += "  \(tag.rawValue): \(tag == .due ? value : JournalText.quoted(value))\n".utf8
    }
  }

  /// The number of a document, or its identifier, in parentheses.
  private static func code(of invoice: Invoice) -> String {
    let names = [invoice.number, invoice.id].lazy.compactMap(\.self).map {
      JournalText.line($0, .code)
    }
    return names.first { !$0.isEmpty } ?? "unknown"
  }

  private mutating func payee(of contact: Party) -> String {
    let name = contact.shownInJournals
    if let payee = payees[name] { return payee }
    let payee = format == .beancount ? JournalText.quoted(name) : JournalText.line(name, .payee)
    payees[name] = payee
    return payee
  }

  private static func append(
    _ posting: Posting, _ account: String, _ currency: Currency, _ format: Journal.Format,
    to text: inout [UInt8]
  ) {
    let amount = posting.amount.description(in: currency)
    let indent = format == .beancount ? "  " : "    "
    text += indent.utf8
    text += account.utf8
    let used = account.unicodeScalars.count + amount.utf8.count
    text += repeatElement(UInt8(ascii: " "), count: max(2, width - used))
    text += amount.utf8
    if let line = posting.text.map({ JournalText.line($0, .comment) }), !line.isEmpty {
      text +=
        (format == .beancount ? "\n    line: \(JournalText.quoted(line))" : "  ; \(line)").utf8
    }
    text.append(UInt8(ascii: "\n"))
  }

  /// The characters of account and amount, so that most amounts are aligned.
  private static let width = 66
}
