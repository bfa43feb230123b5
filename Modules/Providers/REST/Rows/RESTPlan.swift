import JSONReading

/// The plan by which rows are read: the described fields in the order of their names, made once
/// for a page.
final class RESTPlan: Sendable {
  /// A list inside a row.
  struct List: Sendable {
    let name: String
    let path: RESTPath
    let plan: RESTPlan
  }

  let fields: RESTFields
  let forms: RESTForms
  let lists: [List]
  /// The fields whose value is used as the server sends it, with the keys that lead to it.
  let plainFields: [(name: RESTName, keys: [String])]
  /// The field of each name: a reference, because to copy a field counts a reference for each of
  /// its parts.
  private let slots: [RESTPlannedField?]

  init(_ fields: RESTFields, _ forms: RESTForms) {
    self.fields = fields
    self.forms = forms
    slots = RESTName.allCases.map { name in
      fields.fields[name.text].map { RESTPlannedField($0, forms) }
    }
    plainFields = RESTName.allCases.compactMap { [slots] name in
      slots[name.rawValue]?.keys.map { (name, $0) }
    }
    lists = fields.lists.map { name, list in
      var fields = RESTFields()
      fields.fields = list.fields
      return List(name: name, path: list.path, plan: RESTPlan(fields, forms))
    }
  }

  subscript(name: RESTName) -> RESTPlannedField? { slots[name.rawValue] }

  subscript(list name: String) -> List? { lists.first { $0.name == name } }
}

/// A field of a plan, with what is used for each row at hand.
final class RESTPlannedField: Sendable {
  let field: RESTField
  /// The keys that lead to the value, at least one, if it is used as the server sends it; else
  /// `nil`.
  let keys: [String]?
  let sum: (list: String, part: String)?
  let money: RESTMoneyForm
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
    day = field.dateForm ?? forms.day
    instant = field.dateForm ?? forms.instant
  }
}

/// The indices of the values that rows with the same keys have.
///
/// The rows of a page have the same keys in the same order, so each key is looked for once.
final class RESTLayout: Sendable {
  private let sample: JSONObject
  /// For each field: the index of the value of the only key of its path, the complement of the
  /// index of the first of several keys, or ``none``.
  private let indices: [Int]

  private static let none = Int.max

  init(_ plan: RESTPlan, of sample: JSONObject) {
    self.sample = sample
    var indices = [Int](repeating: Self.none, count: RESTName.allCases.count)
    for (name, keys) in plan.plainFields {
      guard let key = keys.first, let index = sample.index(of: key) else { continue }
      indices[name.rawValue] = keys.count == 1 ? index : ~index
    }
    self.indices = indices
  }

  func fits(_ object: JSONObject) -> Bool { object.sharesKeys(with: sample) }

  /// The index of a plain field's value; `nil` if the field is not plain, has a path of several
  /// keys, or no row has it.
  func index(of name: RESTName) -> Int? {
    let index = indices[name.rawValue]
    return index < 0 || index == Self.none ? nil : index
  }

  /// The index of the value that the first key of a plain field's path leads to; `nil` if the field
  /// is not plain, or no row has the key.
  func firstIndex(of name: RESTName) -> Int? {
    let index = indices[name.rawValue]
    return index == Self.none ? nil : index < 0 ? ~index : index
  }
}

/// The layout of the rows of a list; one at a time, because they rarely differ.
struct RESTLayouts {
  private let plan: RESTPlan
  private var last: RESTLayout?

  init(_ plan: RESTPlan) { self.plan = plan }

  mutating func row(_ value: JSONValue) -> RESTRow {
    guard case .object(let members) = value else { return RESTRow(value, plan) }
    if let last, last.fits(members) { return RESTRow(value, members, plan, last) }
    let layout = RESTLayout(plan, of: members)
    last = layout
    return RESTRow(value, members, plan, layout)
  }
}
