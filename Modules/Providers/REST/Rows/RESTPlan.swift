import JSONReading

/// The plan by which rows are read: the described fields in the order of their names, made once
/// for a page.
final class RESTPlan: Sendable {
  /// A list inside a row.
  struct List: Sendable {
    let name: String
    let path: RESTPath
    /// The plan of its elements.
    let plan: RESTPlan
  }

  let fields: RESTFields
  let forms: RESTForms
  /// True if a field has a prefix.
  let hasPrefixes: Bool
  /// True if a path leads through the row that holds an element.
  let readsParent: Bool
  let lists: [List]
  /// The fields whose value is used as the server sends it, with the keys that lead to it.
  let plainFields: [(name: RESTName, keys: [String])]
  /// The field of each name: a reference, because to copy a field counts a reference for each of
  /// its parts.
  private let slots: [RESTPlannedField?]

  init(_ fields: RESTFields, _ forms: RESTForms) {
    self.fields = fields
    self.forms = forms
    hasPrefixes = fields.fields.values.contains { $0.prefix != nil }
    readsParent = fields.fields.values.contains { $0.paths.contains(where: \.readsParent) }
    slots = RESTName.all.map { name in
      fields.fields[name.text].map { RESTPlannedField($0, forms) }
    }
    plainFields = RESTName.all.compactMap { [slots] name in
      slots[name.rawValue]?.keys.map { (name, $0) }
    }
    lists = fields.lists.map { name, list in
      var fields = RESTFields()
      fields.fields = list.fields
      return List(name: name, path: list.path, plan: RESTPlan(fields, forms))
    }
  }

  /// The field of a name; `nil` if the description has none.
  subscript(name: RESTName) -> RESTPlannedField? { slots[name.rawValue] }

  /// The list of a name; `nil` if the description has none.
  subscript(list name: String) -> List? { lists.first { $0.name == name } }
}

/// A field of a plan, with what is used for each row at hand.
final class RESTPlannedField: Sendable {
  let field: RESTField
  /// The keys that lead to the value, at least one, if it is used as the server sends it; else
  /// `nil`.
  let keys: [String]?
  /// The list and its field that are summed, if the value is a sum.
  let sum: (list: String, part: String)?
  let money: RESTMoneyForm
  let number: RESTMoneyForm
  let day: RESTDateForm
  let instant: RESTDateForm

  init(_ field: RESTField, _ forms: RESTForms) {
    self.field = field
    let isChoice = if case .choice = field.source { true } else { false }
    let isPlain =
      field.words.isEmpty && field.textForm != .html && field.paths.count == 1 && !isChoice
    keys = isPlain ? field.path?.keys.flatMap { $0.isEmpty ? nil : $0 } : nil
    if case .sum(let list, let part) = field.source { sum = (list, part) } else { sum = nil }
    money = field.moneyForm ?? forms.money
    number = field.moneyForm ?? forms.money.ofNumbers
    day = field.dateForm ?? forms.day
    instant = field.dateForm ?? forms.instant
  }
}
