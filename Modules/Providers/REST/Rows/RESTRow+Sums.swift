import JSONReading
import Models
import Sync

extension RESTRow {
  /// The amounts of a list added up, to the digit; `nil` where the row has no such list.
  func sum(
    _ name: String, _ list: String, _ part: String, in currency: Currency?
  ) throws(RESTRowError) -> ExactDecimal? {
    guard let described = fields.lists[list] else { return nil }
    switch described.path.value(in: value) {
    case nil, .null?: return fields.fields[name]?.fallback.flatMap { ExactDecimal($0) }
    case .some: break
    }
    var amounts: [ExactDecimal] = []
    for row in try elements(list) {
      // A sum without one of its parts is another one.
      amounts.append(try row.required(part, row.money(part, in: currency)))
    }
    guard let sum = ExactDecimal.sum(amounts) else {
      throw error(name, "the sum has too many digits")
    }
    return sum
  }

  /// Where the parts of a sum stand, such as `lines[].gross`.
  func pathOfSum(_ list: String, _ part: String) -> String {
    let described = fields.lists[list]
    let cursor = described?.fields[part]?.path?.description ?? part
    return "\(described?.path.description ?? list)[].\(cursor)"
  }
}
