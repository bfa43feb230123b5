import Models

/// The name of a field in a description, such as `contact.name`.
///
/// Rows are read name by name: a name is a number here, so that its field is found without hashing
/// a text.
package struct RESTName: Hashable, Sendable {
  /// All names: those of each kind of record, and of the elements of lists.
  static let all = listed.map(\.name)

  // Beside the names, so that a name is passed on without counting a reference.
  private static let listed = {
    var names: [(name: RESTName, text: String)] = []
    var known: Set<String> = []
    let fields = [
      FieldDescription.all(of: Invoice.self), .all(of: Payment.self), .all(of: Contact.self),
    ].joined()
    for field in Array(fields) + fields.flatMap(\.elements) {
      for (text, field) in RESTSchema.described(field) where known.insert(text).inserted {
        let isFlag = if case .flag = field.kind { true } else { false }
        names.append((RESTName(rawValue: names.count, isFlag: isFlag), text))
      }
    }
    return names
  }()

  static let id = RESTName(known: "id")
  static let currency = RESTName(known: "currency")
  static let status = RESTName(known: "status")
  static let updatedAt = RESTName(known: "updatedAt")
  static let version = RESTName(known: "version")
  static let invoiceID = RESTName(known: "invoiceID")

  private static let byText = Dictionary(uniqueKeysWithValues: listed.map { ($0.text, $0.name) })

  let rawValue: Int
  /// True if the field is true or false.
  let isFlag: Bool

  /// The name as users write it.
  package var text: String { Self.listed[rawValue].text }

  private init(rawValue: Int, isFlag: Bool) {
    (self.rawValue, self.isFlag) = (rawValue, isFlag)
  }

  /// Returns the name that a user wrote; `nil` for an unknown one.
  package init?(_ text: String) {
    guard let name = Self.byText[text] else { return nil }
    self = name
  }

  /// The name of a field that a record is known to have.
  init(known text: String) { self = Self.byText[text] ?? Self.all[0] }
}

extension FieldDescription {
  fileprivate var elements: [FieldDescription] {
    if case .list(let fields) = kind { fields } else { [] }
  }
}

extension [FieldDescription] {
  fileprivate static func all<Record: FieldListing>(of _: Record.Type) -> [FieldDescription] {
    FieldDescription.all(of: Record.self)
  }
}
