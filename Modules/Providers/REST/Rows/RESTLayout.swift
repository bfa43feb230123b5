import JSONReading

/// The indices of the values that rows with the same keys have.
///
/// The rows of a page have the same keys in the same order, so each key is looked for once.
final class RESTLayout: Sendable {
  /// An object with the keys.
  private let sample: JSONObject
  /// For each field: the index of the value of the only key of its path, the complement of the
  /// index of the first of several keys, or ``none``.
  private let indices: [Int]

  private static let none = Int.max

  init(_ plan: RESTPlan, of sample: JSONObject) {
    self.sample = sample
    var indices = [Int](repeating: Self.none, count: RESTName.all.count)
    for (name, keys) in plan.plainFields {
      guard let key = keys.first, let index = sample.index(of: key) else { continue }
      indices[name.rawValue] = keys.count == 1 ? index : ~index
    }
    self.indices = indices
  }

  /// Returns true if the layout is that of an object.
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

  /// Returns a row of the list.
  ///
  /// - Parameter element: the place of the row, if the list is inside a record.
  mutating func row(_ value: JSONValue, _ element: RESTRow.Element? = nil) -> RESTRow {
    guard case .object(let members) = value else { return RESTRow(value, plan, element) }
    if let last, last.fits(members) { return RESTRow(value, members, plan, last, element) }
    let layout = RESTLayout(plan, of: members)
    last = layout
    return RESTRow(value, members, plan, layout, element)
  }
}
