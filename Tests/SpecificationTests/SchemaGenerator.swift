import SyncSupport

/// Values that a schema allows, drawn from a seed: every word of an enumeration, optional members
/// in random subsets, `null` where it is allowed, extreme numbers and texts.
struct SchemaGenerator {
  /// A value for a member that the schema describes too widely, such as a currency's `string`.
  typealias Special = (
    _ name: String, _ parent: String, _ schema: Node, _ random: inout SeededRandom
  ) -> Node?

  let specification: OpenAPI
  /// Names of the members whose values the reader uses, which are drawn more often.
  var interesting: Set<String> = []
  let special: Special

  /// Returns an object of a schema of the specification.
  func object(_ name: String, _ random: inout SeededRandom, depth: Int = 4) -> Node {
    value(of: .object(["$ref": .text("#/components/schemas/" + name)]), "", name, &random, depth)
  }

  private func value(
    of wide: Node, _ name: String, _ parent: String, _ random: inout SeededRandom, _ depth: Int
  ) -> Node {
    let schema = specification.resolved(wide)
    let title = wide["$ref"]?.string.map { String($0.split(separator: "/").last ?? "") } ?? parent
    if wide["nullable"]?.isTrue == true || schema["nullable"]?.isTrue == true, random.chance(15) {
      return .null
    }
    if let value = special(name, parent, schema, &random) { return value }
    if let choices = schema["enum"]?.elements, !choices.isEmpty {
      return random.one(of: choices)
    }
    if let variants = schema["anyOf"]?.elements ?? schema["oneOf"]?.elements, !variants.isEmpty {
      // Below the last level, the first variant is the identifier of an object.
      return value(
        of: depth > 0 ? random.one(of: variants) : variants[0], name, parent, &random, depth)
    }
    switch schema["type"]?.string {
    case "object", nil: return object(schema, title, &random, depth)
    case "array":
      guard depth > 0 else { return .list([]) }
      let count = random.one(of: [0, 1, 1, 2, 3])
      let items = schema["items"] ?? .null
      return .list((0..<count).map { _ in value(of: items, name, title, &random, depth) })
    case "string": return .text(Self.text(schema, &random))
    case "integer": return .number(Self.integer(&random))
    case "number": return .number(Self.decimal(&random))
    case "boolean": return .flag(random.chance(50))
    default: return .null
    }
  }

  private func object(
    _ schema: Node, _ title: String, _ random: inout SeededRandom, _ depth: Int
  ) -> Node {
    let required = Set(schema["required"]?.elements.compactMap(\.string) ?? [])
    var members: [String: Node] = [:]
    // Some objects have everything, some almost nothing.
    let share = random.one(of: [10, 50, 90, 100])
    for (name, property) in (schema["properties"]?.members ?? [:]).sorted(by: { $0.key < $1.key }) {
      let isScalar = ["string", "integer", "number", "boolean"]
        .contains(specification.resolved(property)["type"]?.string)
      let isWanted = interesting.contains(name)
      guard
        required.contains(name)
          || random.chance(isWanted ? share : depth > 0 ? share / 4 : isScalar ? share / 8 : 0)
      else { continue }
      members[name] = value(of: property, name, title, &random, isWanted ? depth - 1 : depth / 2)
    }
    return .object(members)
  }

  /// Texts that a user may have written.
  static let texts = [
    "Müller & Söhne", "O'Brien \"and\" Co", "発注書 № 7", "back\\slash", "two\nlines", "👩‍👩‍👧 family",
    "<b>bold</b>", "=SUM(A1)", "a", "0", "null", "false", "e\u{301}", "tab\there", "",
    String(repeating: "long ", count: 40) + "end",
  ]

  static func text(_ schema: Node, _ random: inout SeededRandom) -> String {
    switch schema["format"]?.string {
    case "uuid": return uuid(&random)
    case "date": return day(&random)
    case "date-time": return day(&random) + "T10:11:12Z"
    case "decimal": return decimal(&random)
    default: break
    }
    let text = random.one(of: texts)
    let longest = schema["maxLength"]?.digits.flatMap { Int($0) } ?? 5_000
    let shortest = schema["minLength"]?.digits.flatMap { Int($0) } ?? 0
    let cut = String(text.prefix(longest))
    return cut.count < shortest ? "x" : cut
  }

  static func uuid(_ random: inout SeededRandom) -> String {
    let digits = (0..<2).map { _ in
      let hexadecimal = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - hexadecimal.count) + hexadecimal
    }.joined()
    var parts: [Substring] = []
    var rest = digits[...]
    for count in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.joined(separator: "-")
  }

  static func day(_ random: inout SeededRandom) -> String {
    let month = random.within(1...12)
    let day = random.within(1...28)
    let year = random.one(of: [1999, 2019, 2024, 2025, 2026, 2027, 2038, 2099])
    return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }

  static func integer(_ random: inout SeededRandom) -> String {
    random.one(of: [
      "0", "1", "-1", "100", "99999999", "-250", "9007199254740993", "\(random.below(1_000_000))",
      "\(random.below(1_000_000))", "\(random.below(1_000_000))",
    ])
  }

  static func decimal(_ random: inout SeededRandom) -> String {
    random.one(of: [
      "0", "0.00", "0.1", "-0.01", "12.50", "1234567890123.4567", "1.5E-05", "1E+2", "100",
      "\(random.below(100_000)).\(random.within(10...99))",
      "\(random.below(1_000)).\(random.within(10...99))",
    ])
  }
}
