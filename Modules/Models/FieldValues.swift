/// The values of a record's fields, as text, by names such as `total`, `contact.name` and
/// `lines[0].quantity`.
package struct FieldValues: Sendable, Equatable {
  /// The value of one field; for a list the number of its elements, which follow.
  package struct Value: Sendable, Equatable {
    package let field: String
    /// The value as text; `nil` if there is none.
    package let text: String?
    /// The list to which an element's field belongs.
    package let list: String?
  }

  /// The values, in the order of the fields.
  package private(set) var values: [Value] = []

  /// Reads the fields of a record.
  ///
  /// - Parameter elements: the number of elements of each list that are read.
  package init(of record: some FieldListing, elements: Int = .max) {
    self.elements = elements
    var record = record
    record.visit(&self)
  }

  /// Adds a value of the record that is not one of its fields.
  package mutating func add(_ text: String?, as field: String) {
    values.append(Value(field: field, text: text, list: nil))
  }

  private let elements: Int
  private var prefix = ""
  private var list: String?

  /// Reads elements under their indices, whose list is the outermost one.
  private mutating func add<Element>(
    _ name: StaticString, _ all: inout [Element],
    _ read: (inout FieldValues, inout Element, String) -> Void
  ) {
    add(name, "\(all.count)")
    let (outer, field) = (list, "\(prefix)\(name)")
    list = outer ?? field
    for index in all.indices.prefix(elements) { read(&self, &all[index], "\(field)[\(index)]") }
    list = outer
  }

  private mutating func visit(_ part: inout some FieldListing, under name: String) {
    let outer = prefix
    prefix = name + "."
    part.visit(&self)
    prefix = outer
  }
}

extension FieldValues: TextVisitor {
  package mutating func add(_ name: StaticString, _ text: @autoclosure () -> String?) {
    values.append(Value(field: "\(prefix)\(name)", text: text(), list: list))
  }
  package mutating func texts(_ name: StaticString, _ value: inout [String]) {
    add(name, &value) { values, text, field in
      values.values.append(Value(field: field, text: text, list: values.list))
    }
  }
  package mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part) {
    visit(&value, under: "\(prefix)\(name)")
  }
  package mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part?) {
    guard var part = value else { return add(name, nil) }
    visit(&part, under: "\(prefix)\(name)")
  }
  package mutating func list<Element: FieldListing>(_ name: StaticString, _ value: inout [Element])
  {
    add(name, &value) { $0.visit(&$1, under: $2) }
  }
}
