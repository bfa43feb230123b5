import JSONReading
import Synchronization

/// The plan by which rows are read: the described fields in the order of their names, made once
/// for a page.
final class RESTPlan: Sendable {
  /// A list inside a row.
  final class List: Sendable {
    let name: String
    let path: RESTPath
    /// The plan of its elements.
    let plan: RESTPlan
    /// The fields of its elements.
    let slots: [RESTSchema.Slot?]
    // For all rows of a page: their lists have elements with the same keys.
    private let layouts: Mutex<RESTLayouts>

    fileprivate init(_ name: String, _ list: RESTList, _ forms: RESTForms) {
      var fields = RESTFields()
      fields.fields = list.fields
      self.name = name
      path = list.path
      plan = RESTPlan(fields, forms)
      slots = RESTSchema.slots(ofList: name)
      layouts = Mutex(RESTLayouts(plan))
    }

    /// Returns an element of the list.
    ///
    /// - Parameter record: the record, if the element needs it.
    func row(_ value: JSONValue, at index: Int, of record: JSONValue?) -> RESTRow {
      let element = RESTRow.Element(list: self, index: index, record: record)
      return layouts.withLock { $0.row(value, element) }
    }
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
  /// For each name: true if it has a field.
  private let isDescribed: [Bool]

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
    lists = fields.lists.map { List($0, $1, forms) }
    isDescribed = slots.map { $0 != nil }
  }

  /// Returns true if the description has a field.
  func describes(_ name: RESTName) -> Bool { isDescribed[name.rawValue] }

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
