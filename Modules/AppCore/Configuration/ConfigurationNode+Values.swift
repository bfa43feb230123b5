import Authentication
import Foundation
import HTTPTypes
import Providers
import Sync
import Yams

extension ConfigurationNode {
  /// Reads the address of a server that receives tokens; only a server on this machine may use
  /// http.
  func serverAddress() throws -> String {
    let text = try text()
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil
    else { throw error("expected an http or https URL") }
    // Requests with them are refused, and the address is shown in many places.
    guard url.user() == nil, url.password() == nil else {
      throw error("expected a URL without a user name and a password")
    }
    guard url.scheme == "https" || AuthorizationServer.isLoopback(url) else {
      throw error("expected https, since the server is not on this machine")
    }
    return text
  }

  func redirectPage() throws -> String {
    let text = try text()
    guard let problem = Self.problem(ofRedirectPage: text) else { return text }
    throw error(problem)
  }

  /// Returns the reason why a text is no https page for the end of a sign-in; `nil` if it is one.
  static func problem(ofRedirectPage text: String) -> String? {
    guard let url = URL(string: text), let host = url.host(), !host.isEmpty, url.user() == nil,
      url.query() == nil, url.fragment() == nil, url.scheme == "https"
    else {
      return "expected an https address without query and fragment, exactly as it is registered; "
        + "for a redirect URI on this machine, use redirectHost and redirectPort"
    }
    return nil
  }

  /// Reads how the server treats a refresh token that was already used.
  func refreshTokenReplay() throws -> RefreshTokenReplay {
    let text = try text()
    switch text {
    case "refused": return .refused
    case "forbidden": return .forbidden
    default:
      guard let grace = Duration(configurationText: text) else {
        throw error("expected refused, forbidden, or a duration such as 30m")
      }
      return .accepted(for: grace)
    }
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(_: Choice.Type) throws -> Choice {
    guard let choice = Choice(rawValue: try text()) else {
      throw error(
        "unknown value; available: "
          + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  func textOrNothing() throws -> String {
    if case .scalar(let scalar) = node, scalar.string.isEmpty { return "" }
    return try text()
  }

  func boolean() throws -> Bool {
    guard let value = Bool(try text()) else { throw error("expected true or false") }
    return value
  }

  func pairs() throws -> [String: String] {
    var pairs: [String: String] = [:]
    try readEntries { pairs[$0] = try $1.text() }
    return pairs
  }

  /// True if the value is a single text.
  var isText: Bool { if case .scalar = node { true } else { false } }

  func child(_ name: String) -> ConfigurationNode? {
    guard let entry = node.mapping?.first(where: { $0.key.string == name }) else { return nil }
    return ConfigurationNode(
      node: entry.value, key: key.isEmpty ? name : key + "." + name, in: self)
  }

  /// Returns the value at a path of keys, or at the longest part of it that exists.
  func descendant(_ keys: [String]) -> ConfigurationNode {
    guard let name = keys.first, let child = child(name) else { return self }
    return child.descendant(Array(keys.dropFirst()))
  }

  /// Reads a size in bytes: `65536`, `512KiB`, `64MiB` or `1GiB`; 1 byte to 16 GiB.
  func byteCount() throws -> Int {
    guard let match = try text().wholeMatch(of: #/(\d{1,11}) ?(KiB|MiB|GiB)?/#)?.output,
      let number = Int(match.1)
    else { throw error("expected a size such as 65536, 512KiB, 64MiB or 1GiB") }
    let shift =
      switch match.2 {
      case "KiB": 10
      case "MiB": 20
      case "GiB": 30
      default: 0
      }
    // Eleven digits shifted by thirty bits can exceed an Int.
    let (count, isTooMuch) = number.multipliedReportingOverflow(by: 1 << shift)
    guard !isTooMuch, (1...(16 << 30)).contains(count) else {
      throw error("expected a size from 1 byte to 16GiB")
    }
    return count
  }

  /// Reads a text that is allowed in a header field: one without control characters.
  func printableText() throws -> String {
    let text = try text()
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
      HTTPField.isValidValue(text)
    else {
      throw error("expected a text without control characters, line ends and surrounding space")
    }
    return text
  }

  func fieldName() throws -> HTTPField.Name {
    guard let name = HTTPField.Name(try text()) else { throw error(Self.nameExpectation) }
    return name
  }

  private static let nameExpectation =
    "expected a field name of letters, digits and !#$%&'*+-.^_`|~"

  /// Reads a mapping of header fields that may be sent with every request.
  func headerFields() throws -> HTTPFields {
    var fields: HTTPFields = [:]
    try readEntries { text, value in
      guard let name = HTTPField.Name(text) else {
        throw value.error(Self.nameExpectation)
      }
      if let reason = Self.refusal(of: name) { throw value.error(reason) }
      guard fields[name] == nil else { throw value.error("the field is given twice") }
      fields[name] = try value.printableText()
    }
    return fields
  }

  /// Returns the reason why a configuration must not set a field; `nil` if it may.
  static func refusal(of name: HTTPField.Name) -> String? {
    switch name.canonicalName {
    case "authorization":
      "the account's login sets this field; do not write secrets into this file"
    case "cookie": "sessions send no cookies; do not write secrets into this file"
    case "proxy-authorization":
      "do not write secrets into this file; set the environment variable https_proxy"
    case "host", "content-length", "transfer-encoding":
      "each request sets this field itself; remove it"
    case "connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade":
      "the connection sets this field itself (RFC 9110 section 7.6.1); remove it"
    case "user-agent": "set userAgent instead"
    default: nil
    }
  }
}
