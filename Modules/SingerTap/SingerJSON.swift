import AppCore
import JSONReading
import Models
import Presentation

extension JSONValue {
  /// The value as compact JSON, with the members of objects in their order.
  var json: String {
    switch self {
    case .null, .unreadable: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): number.description
    case .text(let text): JSONText.encode(text)
    case .list(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
    case .object(let object):
      "{"
        + zip(object.names, object.values).map { "\(JSONText.encode($0)):\($1.json)" }
        .joined(separator: ",") + "}"
    }
  }

  static func integer(_ number: Int64) -> JSONValue { .number(ExactDecimal(Int(number))) }

  var integer: Int64? {
    guard case .number(let number) = self else { return nil }
    return Int64(number.normalized.description)
  }

  var flag: Bool? {
    guard case .bool(let flag) = self else { return nil }
    return flag
  }

  var object: JSONObject? {
    guard case .object(let object) = self else { return nil }
    return object
  }

  var list: [JSONValue]? {
    guard case .list(let elements) = self else { return nil }
    return elements
  }

  /// Reads an object from a file that another program has written; an empty text is an empty one.
  ///
  /// - Throws: `ConfigurationError` that names the file.
  static func object(in text: String, source: String) throws -> JSONObject {
    var reader = JSONReader(Array(text.utf8))
    guard text.contains(where: { !$0.isWhitespace }) else { return JSONObject() }
    do {
      let value = try reader.readValue()
      try reader.readEnd()
      if let object = value.object { return object }
    } catch let error as JSONError {
      throw ConfigurationError(source: source, problem: "no JSON object: \(error.explanation)")
    }
    throw ConfigurationError(source: source, problem: "expected a JSON object")
  }
}
