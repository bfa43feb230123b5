import Models
public import Storage

/// A pattern for the names of files, such as `{year}/{month}/{date} {number} {contact}{ext}`.
///
/// A slash in the pattern makes a folder; a slash in a value never does. The extension ends every
/// name, whether or not the pattern ends with `{ext}`.
public struct DocumentNamePattern: Sendable, Equatable {
  /// The values that a pattern can name.
  public enum Field: String, Sendable, CaseIterable {
    /// The year of issue; `undated` without a day of issue.
    case year
    /// The month of issue, `01` to `12`; `00` without a day of issue.
    case month
    /// The day of the month, `01` to `31`; `00` without a day of issue.
    case day
    /// The day of issue as `2024-01-15`; `undated` if there is none.
    case date
    /// The invoice's number, or else its identifier.
    case number
    /// The other party's name; `unknown` if there is none.
    case contact
    /// The type of the invoice, such as `credit-note`.
    case type
    /// The kind of file, such as `attachment`.
    case kind
    /// The code of the currency.
    case currency
    /// The total with tax.
    case total
    /// The account.
    case account
    /// The provider's identifier of the invoice.
    case id
    /// The provider's own name of the file without its extension, or else the number.
    case name
    /// The extension, such as `.pdf`; only at the end.
    case ext
  }

  private enum Part: Sendable, Equatable {
    case text(String)
    case field(Field)
    /// A component of the account of a ledger.
    case ledger(LedgerComponent)
  }

  private let components: [[Part]]

  /// The layout that beancount finds by its option `documents`:
  /// `Assets/Receivable/Acme-Ltd/2024-01-15.INV-001.pdf`, and `Liabilities/Payable` for bills.
  ///
  /// A file without a day of issue begins with `undated`; beancount does not find it.
  public static let beancount = DocumentNamePattern(components: [
    [.ledger(.category)], [.ledger(.claims)], [.ledger(.contact)],
    [.field(.date), .text("."), .field(.number)],
  ])

  /// The pattern that is used if the user names none.
  public static let standard = DocumentNamePattern(components: [
    [.field(.year)], [.field(.month)],
    [.field(.date), .text(" "), .field(.number), .text(" "), .field(.contact)],
  ])

  private init(components: [[Part]]) { self.components = components }

  /// Parses a pattern.
  ///
  /// - Throws: ``DocumentError/unknownField(name:)``; ``DocumentError/pattern(reason:)`` if
  ///   braces do not match, a name is empty, or there are more than 15 folders.
  public init(_ pattern: String) throws(DocumentError) {
    var components: [[Part]] = [[]]
    var text = ""
    func add(_ part: Part? = nil) {
      if !text.isEmpty { components[components.count - 1].append(.text(text)) }
      text = ""
      if let part { components[components.count - 1].append(part) }
    }
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "/":
        add()
        components.append([])
      case "{":
        guard let end = rest.firstIndex(of: "}") else {
          throw .pattern(reason: "'{' has no '}'")
        }
        let name = String(rest[..<end])
        rest = rest[end...].dropFirst()
        guard let field = Field(rawValue: name) else { throw .unknownField(name: name) }
        guard field == .ext else {
          add(.field(field))
          continue
        }
        guard rest.isEmpty else { throw .pattern(reason: "'{ext}' is not at its end") }
      case "}": throw .pattern(reason: "'}' has no '{'")
      default: text.unicodeScalars.append(scalar)
      }
    }
    add()
    guard components.allSatisfy({ !$0.isEmpty }) else {
      throw .pattern(reason: "a folder or file in it has no name")
    }
    guard components.count <= 16 else { throw .pattern(reason: "it has more than 15 folders") }
    self.components = components
  }

  /// Returns the name of a file; ``DocumentNames`` makes it unique.
  public func name(of document: StoredDocument, of stored: StoredInvoice) -> DocumentName {
    var texts = components.map { parts in
      parts.map { part in
        switch part {
        case .text(let text): text
        case .field(let field): Self.text(of: field, document, stored)
        case .ledger(let component): component.text(for: stored.invoice)
        }
      }.joined()
    }
    let stem = texts.removeLast()
    return DocumentName(
      folders: texts.map { SafeFileName.component($0) }, stem: stem,
      ending: FileExtension.of(document), id: document.id.isEmpty ? stored.invoice.id : document.id,
      identity: [stored.account, stored.invoice.id, document.kind.rawValue, document.id])
  }

  private static func text(
    of field: Field, _ document: StoredDocument, _ stored: StoredInvoice
  ) -> String {
    let invoice = stored.invoice
    let date = invoice.issueDate?.description
    switch field {
    case .year: return date.map { String($0.prefix(4)) } ?? "undated"
    case .month: return date.map { String($0.dropFirst(5).prefix(2)) } ?? "00"
    case .day: return date.map { String($0.suffix(2)) } ?? "00"
    case .date: return date ?? "undated"
    case .number: return filled(invoice.number) ?? invoice.id
    case .contact: return filled(invoice.contact.name) ?? "unknown"
    case .type: return invoice.type.rawValue
    case .kind: return document.kind.rawValue
    case .currency: return invoice.currency.code
    case .total: return invoice.total.description
    case .account: return stored.account
    case .id: return invoice.id
    case .name:
      let name = document.name.map { FileExtension.split($0)?.stem ?? $0 }
      return filled(name) ?? text(of: .number, document, stored)
    case .ext: return ""
    }
  }

  /// Returns a text; `nil` if nothing of it can stand in a name.
  private static func filled(_ text: String?) -> String? {
    text.flatMap { SafeFileName.plain($0).isEmpty ? nil : $0 }
  }
}

/// The components of a ledger's account, such as `Assets`, `Receivable` and `Acme-Ltd`.
private enum LedgerComponent: Sendable, Equatable {
  case category
  case claims
  case contact

  func text(for invoice: Invoice) -> String {
    let isSale = invoice.type == .invoice || invoice.type == .creditNote
    switch self {
    case .category: return isSale ? "Assets" : "Liabilities"
    case .claims: return isSale ? "Receivable" : "Payable"
    case .contact: return Self.account(SafeFileName.plain(invoice.contact.name ?? ""))
    }
  }

  /// Returns a text of letters, digits and hyphens, which begins with a capital or a digit, as
  /// beancount requires.
  private static func account(_ name: String) -> String {
    let words = name.unicodeScalars.split { !$0.isLetter && !$0.isDecimalDigit }
      .map { String($0) }.joined(separator: "-")
    guard let first = words.first else { return "Unknown" }
    let capitalized = first.uppercased().prefix(1) + words.dropFirst()
    let begins = capitalized.unicodeScalars.first.map {
      $0.properties.generalCategory == .uppercaseLetter || $0.isDecimalDigit
    }
    return begins == true ? String(capitalized) : "Contact-" + words
  }
}

extension Unicode.Scalar {
  fileprivate var isDecimalDigit: Bool { properties.generalCategory == .decimalNumber }

  fileprivate var isLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }
}
