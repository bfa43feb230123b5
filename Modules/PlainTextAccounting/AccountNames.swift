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
  /// A contact in journals.
  struct Contact {
    /// The name, or else the identifier, as a payee.
    let payee: String
    /// Its number among the contacts so far.
    fileprivate let number: Int
    fileprivate let shown: String
    fileprivate let own: JournalAccounts.ContactAccount?
  }

  private struct ContactKey: Hashable {
    let id: String?
    let name: String?
  }

  /// The template of a place, and what the names of its accounts depend on besides the place.
  private struct Rule {
    let number: Int
    let template: AccountTemplate
    let usesContact: Bool
    let usesCurrency: Bool
    let usesAccount: Bool
  }

  private struct NameKey: Hashable {
    let rule: Int
    let contact: Int?
    let currency: String?
    let account: String?
  }

  private let accounts: JournalAccounts
  private let format: Journal.Format
  private var rules: [Posting.Place: Rule] = [:]
  private var names: [NameKey: String] = [:]
  private var contacts: [ContactKey: Contact] = [:]
  /// The contact that was asked for last: the transactions of a document follow one another.
  private var last: (key: ContactKey, contact: Contact)?
  private var types: [String: Character] = [:]

  init(_ accounts: JournalAccounts, _ format: Journal.Format) {
    (self.accounts, self.format) = (accounts, format)
  }

  /// The accounts so far that no other file declares, by name.
  var undeclared: [Account] {
    types.filter { !accounts.declared.contains($0.key) }
      .map { Account(name: $0.key, type: $0.value) }.sorted { $0.name < $1.name }
  }

  /// The payees so far.
  var payees: Set<String> { Set(contacts.values.map(\.payee)) }

  /// Returns the contact of a document.
  mutating func contact(of party: Party) -> Contact {
    let key = ContactKey(id: party.id, name: party.name)
    if let last, last.key == key { return last.contact }
    let contact = contacts[key] ?? newContact(of: party)
    contacts[key] = contact
    last = (key, contact)
    return contact
  }

  private func newContact(of party: Party) -> Contact {
    let shown = party.shownInJournals
    return Contact(
      payee: format == .beancount ? JournalText.quoted(shown) : JournalText.line(shown, .payee),
      number: contacts.count, shown: shown,
      own: [party.id, party.name].lazy.compactMap { $0.flatMap { accounts.contacts[$0] } }.first)
  }

  /// Returns the name of a place's account, for a document.
  mutating func name(of place: Posting.Place, for stored: StoredInvoice) -> String {
    let contact = contact(of: stored.invoice.contact)
    let rule = rule(of: place)
    let key = NameKey(
      rule: rule.number, contact: rule.usesContact ? contact.number : nil,
      currency: rule.usesCurrency ? stored.invoice.currency.code : nil,
      account: rule.usesAccount ? stored.account : nil)
    if let name = names[key] { return name }
    let (template, shown) =
      switch contact.own {
      case .account(let account) where place.isControl: (account, contact.shown)
      case .name(let name): (rule.template, name)
      default: (rule.template, contact.shown)
      }
    let parts = template.parts.map { pieces in
      let text = pieces.map { piece in
        switch piece {
        case .text(let text): text
        case .value(let placeholder): value(placeholder, place, stored, shown)
        }
      }.joined()
      guard format != .beancount else { return JournalText.beancountPart(text) }
      let part = JournalText.line(text, .part)
      return part.isEmpty ? Self.unknown : part
    }
    let name = parts.joined(separator: ":")
    let type = place.role.type
    types[name] = min(types[name] ?? type, type)
    names[key] = name
    return name
  }

  private mutating func rule(of place: Posting.Place) -> Rule {
    if let rule = rules[place] { return rule }
    let mapped = place.value.flatMap { value in
      switch place.role {
      case .income, .expense: accounts.codes[value]
      case .salesTax, .purchaseTax: accounts.taxes[value]
      default: nil
      }
    }
    let template = mapped ?? accounts.templates[place.role] ?? Self.none
    // A contact's own account is a template too.
    var templates = [template]
    if place.isControl {
      for case .account(let own) in accounts.contacts.values { templates.append(own) }
    }
    func uses(_ placeholder: JournalAccounts.Placeholder) -> Bool {
      templates.contains { $0.parts.contains { $0.contains(.value(placeholder)) } }
    }
    let rule = Rule(
      number: rules.count, template: template,
      usesContact: templates.count > 1 || uses(.contact), usesCurrency: uses(.currency),
      usesAccount: uses(.account))
    rules[place] = rule
    return rule
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

extension Posting.Place {
  /// True if the account holds what is receivable or payable.
  fileprivate var isControl: Bool { role == .receivable || role == .payable }
}

extension Party {
  /// The name, or else the identifier.
  fileprivate var shownInJournals: String {
    [name, id].lazy.compactMap(\.self).first(where: JournalText.isName) ?? "unknown"
  }
}
