/// The values of a record's properties, as text, by names such as `total`, `contact.name` and
/// `lines[0].quantity`.
package struct FieldValues: Sendable, Equatable {
  /// The value of one property; for a list the number of its elements, which follow.
  package struct Value: Sendable, Equatable {
    /// The name.
    package let field: String
    /// The value as text; `nil` if there is none.
    package let text: String?
    /// The list to which an element's property belongs.
    package let list: String?
  }

  /// The values, in the order of the properties.
  package private(set) var values: [Value] = []

  /// Reads the properties of a record.
  ///
  /// - Parameter elements: the number of elements of each list that are read.
  package init(of record: Any, elements: Int = .max) {
    self.elements = elements
    add(record, within: "", of: nil)
  }

  /// Adds a value of the record that is not one of its properties.
  package mutating func add(_ text: String?, as field: String) {
    values.append(Value(field: field, text: text, list: nil))
  }

  private let elements: Int

  private mutating func add(_ record: Any, within prefix: String, of list: String?) {
    for child in Mirror(reflecting: record).children {
      guard let label = child.label else { continue }
      add(child.value, as: prefix + label, of: list)
    }
  }

  private mutating func add(_ value: Any, as field: String, of list: String?) {
    func append(_ text: String?) { values.append(Value(field: field, text: text, list: list)) }
    switch Self.unwrapped(value) {
    case nil: append(nil)
    case let found as [Any]:
      append("\(found.count)")
      for (index, element) in found.prefix(elements).enumerated() {
        add(element, as: "\(field)[\(index)]", of: list ?? field)
      }
    case let word as any RawRepresentable<String>: append(word.rawValue)
    case let text as any CustomStringConvertible: append(text.description)
    case let parts?: add(parts, within: field + ".", of: list)
    }
  }

  private static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first?.value
  }
}
