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
  let lists: [List]
  /// The field of each name: a reference, because to copy a field counts a reference for each of
  /// its parts.
  private let slots: [RESTPlannedField?]

  init(_ fields: RESTFields, _ forms: RESTForms) {
    self.fields = fields
    self.forms = forms
    slots = RESTName.allCases.map { name in
      fields.fields[name.text].map(RESTPlannedField.init)
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

/// A field of a plan.
final class RESTPlannedField: Sendable {
  let field: RESTField

  init(_ field: RESTField) {
    self.field = field
  }
}
