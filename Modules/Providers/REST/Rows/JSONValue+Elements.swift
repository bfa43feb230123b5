import JSONReading

extension JSONValue {
  /// The elements of a list, in the ways in which servers write one; `nil` if the value is none.
  ///
  /// PHP writes an empty list as `{}` or `false`, and a list whose indexes have gaps as an object;
  /// what makes JSON of XML writes a list of one element as the element itself.
  var elements: [JSONValue]? {
    switch self {
    case .list(let elements): return elements
    case .null, .bool(false), .text(""): return []
    case .object(let members):
      let areElements = members.values.allSatisfy { if case .object = $0 { true } else { false } }
      return areElements ? members.values : [self]
    case .bool, .number, .text, .unreadable: return nil
    }
  }
}
