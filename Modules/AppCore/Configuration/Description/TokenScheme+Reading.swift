import HTTPTypes
import Networking

extension TokenScheme {
  private enum Key: String, CaseIterable { case header, prefix }

  /// Reads how requests carry the token: the name of a scheme, or the header field for the token.
  init(_ node: ConfigurationNode) throws {
    guard !node.isText else {
      switch try node.text() {
      case "bearer": self = .bearer
      case "basic": self = .basic
      // The value may be the token itself, so the message does not repeat it.
      default:
        throw node.error(
          "expected bearer, basic or { header: NAME }; do not write the token itself into this file",
          hint: Hint("Pass the token with", ["login", "--token-stdin"]))
      }
      return
    }
    var name: HTTPField.Name?
    var prefix = ""
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .header: name = try Self.headerName(value)
      case .prefix: prefix = try value.text()
      }
    }
    guard let name else {
      throw node.error("header is missing; set it to the name of the field, such as X-API-TOKEN")
    }
    guard HTTPField.isValidValue(prefix + "x") else {
      throw node.descendant(["prefix"]).error(
        "expected a text without control characters and leading space")
    }
    self = .header(name, prefix: prefix)
  }

  /// Reads the name of a header field for the token; of the fields that a configuration must not
  /// set, only `Authorization` is allowed.
  private static func headerName(_ node: ConfigurationNode) throws -> HTTPField.Name {
    let name = try node.fieldName()
    if name != .authorization, let reason = ConfigurationNode.refusal(of: name) {
      throw node.error(reason)
    }
    guard TokenScheme.header(name).isSafe else {
      throw node.error("this field has another meaning, and redirects carry it to other servers")
    }
    return name
  }
}
