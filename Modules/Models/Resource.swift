/// A list of a provider that the database holds, such as its invoices.
///
/// Several lists may hold records of one kind: Xero's credit notes are a list of their own, and
/// invoices all the same. Each list is synced by itself, with a checkpoint of its own.
public struct Resource: RawRepresentable, Sendable, Hashable {
  /// The kinds of records.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Invoices, credit notes, bills and bill credits.
    case invoices
    /// Payments, refunds and money on account.
    case payments
    /// Customers and suppliers.
    case contacts
  }

  /// The kind of the list's records.
  public let kind: Kind
  /// The name in configurations, reports and the database, such as `invoices`.
  public let rawValue: String

  private init(_ name: String, of kind: Kind) { (self.rawValue, self.kind) = (name, kind) }

  /// Creates the first list of a kind, which has its name.
  public init(_ kind: Kind) { self.init(kind.rawValue, of: kind) }

  /// Creates one of several lists of a kind that have no names of their own.
  ///
  /// - Parameter position: the position among them, from 0; the first has the name of its kind, the
  ///   second is such as `invoices-2`.
  package init(_ kind: Kind, at position: Int) {
    self.init(position == 0 ? kind.rawValue : "\(kind.rawValue)-\(position + 1)", of: kind)
  }

  /// The invoices, with all other documents that the provider lists among them.
  public static let invoices = Resource(.invoices)
  /// The payments.
  public static let payments = Resource(.payments)
  /// The customers and suppliers.
  public static let contacts = Resource(.contacts)
  /// The credit notes of a provider that lists them by themselves.
  public static let creditNotes = Resource("credit-notes", of: .invoices)
  /// The invoices to customers that another program has made (Moneybird).
  public static let externalInvoices = Resource("external-invoices", of: .invoices)
  /// The bills of a provider that lists them by themselves.
  public static let bills = Resource("bills", of: .invoices)
  /// Money on account that came before its invoice (Xero).
  public static let prepayments = Resource("prepayments", of: .payments)
  /// Money on account that came above what was due (Xero).
  public static let overpayments = Resource("overpayments", of: .payments)

  /// The lists with names of their own, the first of each kind before all others.
  package static let named =
    Kind.allCases.map { Resource($0) } + [
      creditNotes, externalInvoices, bills, prepayments, overpayments,
    ]

  /// The names that a description of a provider has for its lists.
  package static let describedNames = named.map(\.rawValue)

  /// Creates the list of a name; `nil` if no list has it.
  public init?(rawValue: String) {
    if let known = Self.named.first(where: { $0.rawValue == rawValue }) {
      self = known
      return
    }
    guard let end = rawValue.lastIndex(of: "-"),
      let kind = Kind(rawValue: String(rawValue[..<end])),
      let number = Int(rawValue[rawValue.index(after: end)...]), number > 1
    else { return nil }
    self.init(kind, at: number - 1)
  }

  /// True for the first list of its kind.
  package var isMain: Bool { rawValue == kind.rawValue }

  /// The name in sentences, such as `credit notes`.
  package var words: String { rawValue.replacing("-", with: " ") }
}

extension Resource: CustomStringConvertible {
  /// The name in sentences, such as `credit notes`.
  public var description: String { words }
}
