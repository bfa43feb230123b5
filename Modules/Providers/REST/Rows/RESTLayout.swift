import JSONReading

/// The places of the values that rows with the same keys have.
///
/// The rows of a page have the same keys in the same order, so each key is looked for once.
final class RESTLayout: Sendable {
  /// An object with the keys.
  private let sample: JSONObject
  /// For each field: the place of the value of the only key of its path, the complement of the
  /// place of the first of several keys, or ``none``.
  private let places: [Int]

  private static let none = Int.max

  init(_ plan: RESTPlan, of sample: JSONObject) {
    self.sample = sample
    var places = [Int](repeating: Self.none, count: RESTName.allCases.count)
    for (name, keys) in plan.plainFields {
      guard let key = keys.first, let place = sample.index(of: key) else { continue }
      places[name.rawValue] = keys.count == 1 ? place : ~place
    }
    self.places = places
  }

  /// Returns true if the layout is that of an object.
  func fits(_ object: JSONObject) -> Bool { object.sharesKeys(with: sample) }

  /// The place of a plain field's value; `nil` if the field is not plain, has a path of several
  /// keys, or no row has it.
  func place(of name: RESTName) -> Int? {
    let place = places[name.rawValue]
    return place < 0 || place == Self.none ? nil : place
  }

  /// The place of the value that the first key of a plain field's path leads to; `nil` if the field
  /// is not plain, or no row has the key.
  func firstPlace(of name: RESTName) -> Int? {
    let place = places[name.rawValue]
    return place == Self.none ? nil : place < 0 ? ~place : place
  }
}

/// The layout of the rows of a list; one at a time, because they rarely differ.
struct RESTLayouts {
  private let plan: RESTPlan
  private var last: RESTLayout?

  init(_ plan: RESTPlan) { self.plan = plan }

  /// Returns a row of the list.
  mutating func row(_ value: JSONValue) -> RESTRow {
    guard case .object(let members) = value else { return RESTRow(value, plan) }
    if let last, last.fits(members) { return RESTRow(value, members, plan, last) }
    let layout = RESTLayout(plan, of: members)
    last = layout
    return RESTRow(value, members, plan, layout)
  }
}
