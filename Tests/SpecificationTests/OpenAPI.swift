import Foundation
import HTTPTypes

@testable import Networking

/// A specification in OpenAPI 3.
struct OpenAPI: Sendable {
  let root: Node
  /// The path before those of the specification, such as `/api.xro/2.0`.
  let prefix: String
  private let schemas: [String: Node]

  init(_ root: Node, prefix: String = "") {
    self.root = root
    self.prefix = prefix
    schemas = root.at("components", "schemas")?.members ?? [:]
  }

  /// Returns a schema of the specification.
  func schema(_ name: String) -> Node { schemas[name] ?? .null }

  /// Follows a reference to its target.
  func resolved(_ node: Node?) -> Node {
    guard let reference = node?["$ref"]?.string else { return node ?? .null }
    let parts = reference.split(separator: "/").dropFirst().map(String.init)
    if parts.count == 3, parts[1] == "schemas" { return resolved(schemas[parts[2]]) }
    return resolved(parts.reduce(Node?.some(root)) { $0?[$1] })
  }

  /// Returns the operation for a method and path, and the values in its path.
  func operation(
    _ method: String, _ path: String, ignoringCase: Bool = false
  ) -> (operation: Node, parameters: [Node], values: [String: String])? {
    guard path.hasPrefix(prefix) else { return nil }
    let wanted = path.dropFirst(prefix.count).split(separator: "/").map(String.init)
    var found: (operation: Node, parameters: [Node], values: [String: String])?
    for (template, item) in root["paths"]?.members ?? [:] {
      let parts = template.split(separator: "/").map(String.init)
      guard parts.count == wanted.count, let operation = item[method.lowercased()] else { continue }
      var values: [String: String] = [:]
      let fits = zip(parts, wanted).allSatisfy { part, text in
        if part.hasPrefix("{") {
          values[String(part.dropFirst().dropLast())] = text
          return true
        }
        return ignoringCase ? part.lowercased() == text.lowercased() : part == text
      }
      // A path without a placeholder is meant before one with it.
      guard fits, found == nil || values.isEmpty else { continue }
      let parameters =
        (item["parameters"]?.elements ?? []) + (operation["parameters"]?.elements ?? [])
      found = (operation, parameters.map(resolved), values)
    }
    return found
  }
}

// MARK: Requests

extension OpenAPI {
  /// Fields that any HTTP request may have.
  private static let standardFields: Set<String> = [
    "accept", "accept-encoding", "authorization", "content-type", "user-agent",
  ]

  /// Returns what the specification does not allow in a request.
  ///
  /// - Parameter fields: the header fields that the vendor documents outside its operations.
  func violations(
    of request: Request, fields: Set<String> = [], ignoringCase: Bool = false
  ) -> [String] {
    let path = request.url.path(percentEncoded: false)
    guard
      let (operation, parameters, values) = operation(
        request.method.rawValue, path, ignoringCase: ignoringCase)
    else { return ["there is no \(request.method.rawValue) \(path)"] }
    func parameter(_ name: String, in place: String) -> Node? {
      parameters.first {
        $0["in"]?.string == place
          && (place == "header"
            ? $0["name"]?.string?.lowercased() == name : $0["name"]?.string == name)
      }
    }
    var found: [String] = []
    let items =
      URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    for item in items {
      let parts = item.name.split(separator: "[", omittingEmptySubsequences: false)
      guard let parameter = parameter(String(parts[0]), in: "query") else {
        found.append("there is no query parameter \(item.name)")
        continue
      }
      var schema = resolved(parameter["schema"])
      if parts.count == 2 {
        let member = String(parts[1].dropLast())
        let variants = [schema] + (schema["anyOf"]?.elements ?? []).map(resolved)
        schema =
          variants.lazy.compactMap { member.isEmpty ? $0["items"] : $0["properties"]?[member] }
          .first ?? .null
        if schema == .null { found.append("there is no query parameter \(item.name)") }
      }
      let description = parameter["description"]?.string ?? ""
      found += faults(in: item.value ?? "", of: schema, description).map { "\(item.name): \($0)" }
    }
    for (name, value) in values {
      found += faults(in: value, of: resolved(parameter(name, in: "path")?["schema"]), "")
        .map { "\(name): \($0)" }
    }
    let sent = Set(request.fields.map { $0.name.canonicalName })
    for name in sent.subtracting(Self.standardFields).subtracting(fields)
    where parameter(name, in: "header") == nil { found.append("there is no field \(name)") }
    for parameter in parameters where parameter["required"]?.isTrue == true {
      let name = parameter["name"]?.string ?? ""
      let isThere =
        switch parameter["in"]?.string {
        case "query": items.contains { $0.name == name }
        case "header": sent.contains(name.lowercased())
        default: values[name] != nil
        }
      if !isThere { found.append("\(name) is missing") }
    }
    return found + bodyFaults(of: request, operation)
  }

  private func bodyFaults(of request: Request, _ operation: Node) -> [String] {
    let declared = resolved(operation["requestBody"])
    guard request.body != nil else {
      return declared["required"]?.isTrue == true ? ["a body is missing"] : []
    }
    let type = request.fields[.contentType] ?? ""
    guard let schema = declared["content"]?[type]?["schema"], let value = request.json
    else { return ["there is no body of type \(type)"] }
    return faults(in: value, of: resolved(schema), at: "body")
  }

  /// Returns what is wrong with a text in a path or a query.
  private func faults(in text: String, of schema: Node, _ description: String) -> [String] {
    var found: [String] = []
    switch schema["type"]?.string {
    case "integer":
      guard let number = Int(text) else { return ["\(text) is not a whole number"] }
      if let most = Self.most(in: description), !(1...most).contains(number) {
        found.append("\(number) is not within 1 and \(most)")
      }
    case "boolean":
      if !["true", "false"].contains(text) { found.append("\(text) is not a boolean") }
    case "string":
      if text.isEmpty { found.append("it is empty") }
      if schema["format"]?.string == "uuid", UUID(uuidString: text) == nil {
        found.append("\(text) is not a UUID")
      }
    default: found.append("its type is \(schema["type"]?.string ?? "unknown")")
    }
    if let most = schema["maxLength"]?.digits.flatMap({ Int($0) }), text.unicodeScalars.count > most
    {
      found.append("it is longer than \(most)")
    }
    if let choices = schema["enum"]?.elements, !choices.contains(.text(text)) {
      found.append("\(text) is not one of its values")
    }
    return found
  }

  /// Returns what is wrong with a JSON value.
  func faults(in value: Node, of schema: Node, at path: String) -> [String] {
    let schema = resolved(schema)
    if value == .null, schema["nullable"]?.isTrue == true { return [] }
    switch (schema["type"]?.string, value) {
    case ("object", .object(let members)):
      let properties = schema["properties"]?.members ?? [:]
      var found = members.sorted { $0.key < $1.key }.flatMap { key, value in
        guard let property = properties[key] else { return ["there is no \(path).\(key)"] }
        return faults(in: value, of: property, at: path + "." + key)
      }
      for name in schema["required"]?.elements.compactMap(\.string) ?? []
      where members[name] == nil { found.append("\(path).\(name) is missing") }
      return found
    case ("array", .list(let elements)):
      let items = schema["items"] ?? .null
      let found = elements.flatMap { faults(in: $0, of: items, at: path + "[]") }
      guard let most = Self.most(in: schema["description"]?.string ?? ""), elements.count > most
      else { return found }
      return found + ["\(path) has more than \(most) elements"]
    case ("string", .text(let text)):
      return faults(in: text, of: schema, "").map { "\(path): \($0)" }
    case ("integer", .number(let text)):
      return faults(in: text, of: schema, schema["description"]?.string ?? "")
        .map { "\(path): \($0)" }
    case ("number", .number), ("boolean", .flag): return []
    default: return ["\(path) has another type"]
    }
  }

  /// Returns the largest number that a description states.
  ///
  /// The vendors write limits there and not in their schemas.
  private static func most(in description: String) -> Int? {
    for pattern in [
      /range between 1 and (\d+)/, /\((\d+) is the maximum/, /maximum of (\d+)/,
    ] {
      if let match = description.firstMatch(of: pattern) { return Int(match.1) }
    }
    return nil
  }

  /// Returns whether a path leads from the response of an operation to something that may be
  /// expanded, such as `data.total_tax_amounts.tax_rate`.
  func isExpandable(_ path: String, _ method: String, _ address: String) -> Bool {
    guard let operation = operation(method, address)?.operation else { return false }
    var schema = resolved(
      operation.at("responses", "200", "content", "application/json", "schema"))
    for name in path.split(separator: ".") {
      if let items = schema["items"] { schema = resolved(items) }
      if let variants = schema["anyOf"]?.elements.map(resolved),
        let variant = variants.first(where: { $0["properties"]?[String(name)] != nil })
      {
        schema = variant
      }
      guard let next = schema["properties"]?[String(name)] else { return false }
      let isNamed = schema["x-expandableFields"]?.elements.contains { $0.string == String(name) }
      if next["x-expansionResources"] != nil || isNamed == true, path.hasSuffix(name) {
        return true
      }
      schema = resolved(next)
    }
    return false
  }
}

extension Request {
  /// The JSON value of the body; `nil` if there is none.
  var json: Node? {
    guard case .bytes(let bytes) = body?.content else { return nil }
    return try? Node(json: bytes)
  }
}
