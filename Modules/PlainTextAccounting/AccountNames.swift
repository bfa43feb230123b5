import Models
import Storage

/// An account of a journal.
struct Account: Hashable {
  let name: String
  let type: Character
}

/// The names of the accounts that a journal uses.
///
/// A name depends on nothing but the record and the templates, so that a new record never renames
/// the accounts of others.
struct AccountNames {
  private let accounts: JournalAccounts
  private let format: Journal.Format
  private var known: [String: Account] = [:]

  init(_ accounts: JournalAccounts, _ format: Journal.Format) {
    (self.accounts, self.format) = (accounts, format)
  }

  /// The accounts so far that no other file declares, by name.
  var undeclared: [Account] {
    var types: [String: Character] = [:]
    for account in known.values where !accounts.declared.contains(account.name) {
      types[account.name] = min(types[account.name] ?? account.type, account.type)
    }
    return types.map { Account(name: $0.key, type: $0.value) }.sorted { $0.name < $1.name }
  }

  /// Returns the name of a place's account, for a document.
  mutating func name(of place: Posting.Place, for stored: StoredInvoice) -> String {
    let (template, contact) = template(of: place, stored.invoice.contact)
    var key = template.text
    for part in template.parts {
      for case .value(let placeholder) in part {
        key += "\0" + value(placeholder, place, stored, contact)
      }
    }
    if let account = known[key] { return account.name }
    let parts = template.parts.map { pieces in
      let text = pieces.map { piece in
        switch piece {
        case .text(let text): text
        case .value(let placeholder): value(placeholder, place, stored, contact)
        }
      }.joined()
      guard format != .beancount else { return JournalText.beancountPart(text) }
      let part = JournalText.line(text, .part)
      return part.isEmpty ? Self.unknown : part
    }
    let account = Account(name: parts.joined(separator: ":"), type: place.role.type)
    known[key] = account
    return account.name
  }

  private func template(
    of place: Posting.Place, _ contact: Party
  ) -> (AccountTemplate, contact: String) {
    let mapped = place.value.flatMap { value in
      switch place.role {
      case .income, .expense: accounts.codes[value]
      case .salesTax, .purchaseTax: accounts.taxes[value]
      default: nil
      }
    }
    let template = mapped ?? accounts.templates[place.role] ?? Self.none
    let own =
      accounts.contacts.isEmpty
      ? nil
      : contact.id.flatMap { accounts.contacts[$0] }
        ?? contact.name.flatMap { accounts.contacts[$0] }
    switch own {
    case .account(let account) where place.role == .receivable || place.role == .payable:
      return (account, contact.shownInJournals)
    case .name(let name): return (template, name)
    default: return (template, contact.shownInJournals)
    }
  }

  private func value(
    _ placeholder: JournalAccounts.Placeholder, _ place: Posting.Place, _ stored: StoredInvoice,
    _ contact: String
  ) -> String {
    switch placeholder {
    case .contact: return contact
    case .currency: return stored.invoice.currency.code
    case .account: return stored.account
    case .code, .tax:
      let isOfLine = place.role == .income || place.role == .expense
      guard isOfLine == (placeholder == .code), let value = place.value, JournalText.isName(value)
      else { return Self.unspecified }
      return value
    }
  }

  private static let unknown = "unknown"
  private static let unspecified = "unspecified"
  private static let none = AccountTemplate(parts: ["equity", "unexplained"])
}

extension Party {
  /// The name, or else the identifier.
  var shownInJournals: String {
    [name, id].lazy.compactMap(\.self).first(where: JournalText.isName) ?? "unknown"
  }
}
