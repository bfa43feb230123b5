import Models
import Storage

/// The text of a journal: what it declares, and its transactions.
struct JournalPrinter {
  private let format: Journal.Format
  private let namesAccounts: Bool
  private var names: AccountNames
  private var currencies: Set<Currency> = []

  init(_ journal: Journal) {
    (format, namesAccounts) = (journal.format, journal.namesAccounts)
    names = AccountNames(journal.accounts, journal.format)
  }

  /// The text before the transactions that were appended so far.
  var header: [UInt8] {
    let currencies = currencies.sorted { $0.code < $1.code }
    let accounts = names.undeclared
    let payees = names.payees.sorted()
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
    text.append("\n")
    transaction.day.appendText(to: &text)
    text.append(transaction.isDoubtful ? " ! " : " * ")
    let payee = names.contact(of: invoice.contact).payee
    switch format {
    case .hledger:
      text.append("(", Self.code(of: invoice), ") ", payee, " | ", transaction.note, "  ; ")
      for (index, (tag, value)) in tags.enumerated() {
        text.append(index == 0 ? "" : ", ", tag.rawValue, ":", JournalText.line(value, .value))
      }
      text.append("\n")
    case .ledger:
      text.append("(", Self.code(of: invoice), ") ", payee, "\n")
      for (tag, value) in tags {
        let value = JournalText.line(value, .value)
        text.append("    ; ", value.isEmpty ? ":" : "", tag.rawValue, ":")
        text.append(value.isEmpty ? "" : " ", value, "\n")
      }
    case .beancount: Self.appendBeancount(transaction, tags, payee, invoice, to: &text)
    }
    for posting in transaction.postings {
      // A copy of this printer while the names grow would copy all of them.
      let account = names.name(of: posting.place, for: stored)
      Self.append(posting, account, invoice.currency, format, to: &text)
    }
  }

  private static func appendBeancount(
    _ transaction: Transaction, _ tags: [(Transaction.Tag, String)], _ payee: String,
    _ invoice: Invoice, to text: inout [UInt8]
  ) {
    let number = invoice.number ?? invoice.id
    let link = JournalText.link(number)
    text.append(payee, " ", JournalText.quoted(transaction.note + " " + number))
    text.append(link.isEmpty ? "" : " ^", link)
    text.append(tags.contains { $0.0 == .undated } ? " #undated\n" : "\n")
    for (tag, value) in tags where tag != .inv && tag != .undated {
      text.append("  ", tag.rawValue, ": ", tag == .due ? value : JournalText.quoted(value), "\n")
    }
  }

  /// The number of a document, or its identifier, in parentheses.
  private static func code(of invoice: Invoice) -> String {
    let names = [invoice.number, invoice.id].lazy.compactMap(\.self).map {
      JournalText.line($0, .code)
    }
    return names.first { !$0.isEmpty } ?? "unknown"
  }

  private static func append(
    _ posting: Posting, _ account: String, _ currency: Currency, _ format: Journal.Format,
    to text: inout [UInt8]
  ) {
    let amount = posting.amount.description(in: currency)
    text.append(format == .beancount ? "  " : "    ", account)
    // The bytes that begin a character.
    let characters = account.utf8.count { $0 & 0xC0 != 0x80 }
    let used = characters + amount.utf8.count
    text += repeatElement(UInt8(ascii: " "), count: max(2, width - used))
    text.append(amount)
    if let line = posting.text.map({ JournalText.line($0, .comment) }), !line.isEmpty {
      switch format {
      case .beancount: text.append("\n    line: ", JournalText.quoted(line))
      case .hledger, .ledger: text.append("  ; ", line)
      }
    }
    text.append("\n")
  }

  /// The characters of account and amount, so that most amounts are aligned.
  private static let width = 66
}

extension [UInt8] {
  /// Appends texts in UTF-8; an interpolated text would be made first, and then copied.
  fileprivate mutating func append(_ texts: String...) {
    for text in texts { append(contentsOf: text.utf8) }
  }
}
