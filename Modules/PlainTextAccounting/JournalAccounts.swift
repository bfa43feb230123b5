import Models

/// The accounts of a journal: a template for each role, and the accounts of the user's own books.
///
/// A template has parts between colons, such as `assets:receivable:{contact}`, with the names of
/// ``Placeholder`` in braces. In a journal for beancount, each part begins with a capital letter,
/// and hyphens stand for other characters than letters and digits.
public struct JournalAccounts: Sendable, Equatable {
  /// The roles of accounts; the raw value is the key in a file of accounts.
  public enum Role: String, Sendable, CaseIterable {
    /// The claims on a customer.
    case receivable
    /// The debts to a supplier.
    case payable
    /// The income of a sale's line.
    case income
    /// The expense of a bill's line.
    case expense
    /// The tax on sales.
    case salesTax
    /// The tax on purchases.
    case purchaseTax
    /// The tax that a payer withholds from the payment.
    case withheldTax
    /// The payments with a day.
    case payments
    /// The payments of which the provider states only that they were made.
    case undatedPayments
    /// The credits that are set against documents.
    case credits
    /// The amounts that are written off.
    case badDebts
    /// The differences of up to 0.05, and stated roundings.
    case rounding
    /// The amounts that the provider does not explain.
    case unexplained
  }

  /// The values that a template can contain.
  public enum Placeholder: String, Sendable, CaseIterable {
    /// The contact's name, or else its identifier.
    case contact
    /// The account code of the line.
    case code
    /// The name of the tax.
    case tax
    /// The currency.
    case currency
    /// The account of appcore.
    case account
  }

  /// The first role whose template does not name the account of appcore.
  package var roleWithoutAccount: Role? {
    Role.allCases.first { role in
      templates[role].map { !$0.parts.joined().contains(.value(.account)) } ?? false
    }
  }

  /// The templates by role.
  public var templates: [Role: AccountTemplate]
  /// The accounts of lines, by account code.
  public var codes: [String: AccountTemplate] = [:]
  /// The accounts of taxes, by name.
  public var taxes: [String: AccountTemplate] = [:]
  /// The names of contacts in accounts, or their whole accounts, by identifier or name.
  public var contacts: [String: ContactAccount] = [:]
  /// The accounts that other files declare, as the journal writes them; it leaves them out.
  public var declared: Set<String> = []

  /// The account of a contact.
  public enum ContactAccount: Sendable, Equatable {
    /// The text in place of the contact's name.
    case name(String)
    /// The account of all that the contact owes, and of all that it is owed.
    case account(AccountTemplate)
  }

  /// Creates the accounts that need no file.
  ///
  /// - Parameter namesAccounts: true for a journal of several accounts of appcore, whose amounts
  ///   are never added up: each account then has a part with the name of appcore's.
  public init(namesAccounts: Bool = false) {
    templates = Dictionary(
      uniqueKeysWithValues: Role.allCases.map { role in
        (role, AccountTemplate(parts: role.parts(namesAccounts: namesAccounts)))
      })
  }
}

extension JournalAccounts.Role {
  fileprivate func parts(namesAccounts: Bool) -> [String] {
    let parts =
      switch self {
      case .receivable: ["assets", "receivable", "{contact}"]
      case .payable: ["liabilities", "payable", "{contact}"]
      case .income: ["income", "{code}"]
      case .expense: ["expenses", "{code}"]
      case .salesTax: ["liabilities", "tax", "sales", "{tax}"]
      case .purchaseTax: ["assets", "tax", "purchases", "{tax}"]
      case .withheldTax: ["assets", "tax", "withheld"]
      case .payments: ["assets", "clearing", "payments"]
      case .undatedPayments: ["assets", "clearing", "undated payments"]
      case .credits: ["assets", "clearing", "credits"]
      case .badDebts: ["expenses", "bad debts"]
      case .rounding: ["expenses", "rounding"]
      case .unexplained: ["equity", "unexplained"]
      }
    return namesAccounts ? [parts[0], "{account}"] + parts.dropFirst() : parts
  }

  /// The type of the account, as hledger names it.
  var type: Character {
    switch self {
    case .receivable, .purchaseTax, .withheldTax, .payments, .undatedPayments, .credits: "A"
    case .payable, .salesTax: "L"
    case .income: "R"
    case .expense, .badDebts, .rounding: "X"
    case .unexplained: "E"
    }
  }

  /// True if a transaction with such a posting is marked for a look at it.
  var isDoubtful: Bool {
    switch self {
    case .undatedPayments, .badDebts, .unexplained: true
    default: false
    }
  }
}

/// The name of an account, with placeholders.
public struct AccountTemplate: Sendable, Hashable {
  enum Piece: Hashable {
    case text(String)
    case value(JournalAccounts.Placeholder)
  }

  /// The pieces of each part.
  let parts: [[Piece]]
  /// The template as it was written.
  let text: String

  /// Creates a template, or returns `nil` if the text has a ``problem(of:)``.
  public init?(_ text: String) {
    guard Self.problem(of: text) == nil else { return nil }
    self.init(parts: text.split(separator: ":").map(String.init))
  }

  /// Returns the reason why a text is no template; `nil` if it is one.
  public static func problem(of text: String) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 1 else {
      return "expected an account of two parts or more, such as income:sales"
    }
    guard parts.allSatisfy({ $0.contains { !$0.isWhitespace } }) else {
      return "a part of the account is empty; write one colon between two parts"
    }
    guard text.first?.isLetter == true else {
      return "expected a letter at the beginning, as in income:sales"
    }
    let unknown = text.matches(of: #/\{[^{}:]*\}|[{}]/#).map(\.output).first {
      placeholder($0) == nil
    }
    if let unknown {
      let names = JournalAccounts.Placeholder.allCases.map { "{\($0.rawValue)}" }
      return "unknown placeholder '\(unknown)'; available: " + names.joined(separator: ", ")
    }
    return parts.lazy.compactMap(problem(ofPart:)).first
  }

  /// Returns the reason why a program would not read a part as it was written.
  private static func problem(ofPart part: Substring) -> String? {
    let own = String(part.replacing(#/\{[a-z]+\}/#, with: "x"))
    let refused = own.unicodeScalars.first {
      ("!"..."~").contains($0) && JournalText.Replacements.part[$0] != $0
    }
    if let refused { return "the programs do not allow '\(refused)' in an account" }
    guard JournalText.line(own, .part) != own else { return nil }
    return "expected single spaces between visible characters, at most \(JournalText.most) a part"
  }

  /// Returns the reason why a program refuses the account; `nil` if it takes it.
  ///
  /// beancount has five accounts that hold all others, in capitals.
  public func problem(in format: Journal.Format) -> String? {
    guard format == .beancount else { return nil }
    let roots = ["Assets", "Liabilities", "Equity", "Income", "Expenses"]
    let first = String(text.prefix { $0 != ":" })
    guard !roots.contains(JournalText.beancountPart(first)) else { return nil }
    return "beancount knows no account '\(JournalText.beancountPart(first))'; begin with "
      + roots.joined(separator: ", ")
  }

  /// - Parameter parts: parts without mistakes.
  init(parts: [String]) {
    text = parts.joined(separator: ":")
    self.parts = parts.map { part in
      var pieces: [Piece] = []
      var rest = part.startIndex
      for match in part.matches(of: #/\{[a-z]+\}/#) {
        pieces.append(.text(String(part[rest..<match.range.lowerBound])))
        pieces += Self.placeholder(match.output).map { [.value($0)] } ?? []
        rest = match.range.upperBound
      }
      return pieces + [.text(String(part[rest...]))]
    }
  }

  private static func placeholder(_ name: Substring) -> JournalAccounts.Placeholder? {
    JournalAccounts.Placeholder(rawValue: String(name.dropFirst().dropLast()))
  }
}
