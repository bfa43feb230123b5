import JSONReading
import Models
import Sync

extension RESTRow {
  /// Returns the exact sum of an amount in a list; the default or `nil` if the row has no such
  /// list.
  func sum(
    _ name: RESTName, _ list: String, _ part: String, in currency: Currency?
  ) throws(RESTRowError) -> ExactDecimal? {
    guard let described = plan[list: list], let part = RESTName(part) else { return nil }
    switch described.path.value(in: value) {
    case nil, .null?: return plan[name]?.field.fallback.flatMap { ExactDecimal($0) }
    case .some: break
    }
    var amounts: [ExactDecimal] = []
    for row in try elements(list) {
      // A sum that lacks an amount would be wrong.
      amounts.append(try row.required(part, row.money(part, in: currency)))
    }
    guard let sum = ExactDecimal.sum(amounts) else {
      throw error(name, "the sum has too many digits")
    }
    return sum
  }

  /// Returns the path of the amounts of a sum, such as `lines[].gross`.
  func pathOfSum(_ list: String, _ part: String) -> String {
    let described = plan.fields.lists[list]
    let path = described?.fields[part]?.path?.description ?? part
    return "\(described?.path.description ?? list)[].\(path)"
  }
}
