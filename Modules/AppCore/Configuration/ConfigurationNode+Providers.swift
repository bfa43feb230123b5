import Authentication
import Foundation
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

  /// Reads the https page on which a sign-in ends.
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

  /// Reads the method with which a client authenticates to the token endpoint.
  func clientAuthentication() throws -> OAuthClient.Authentication {
    guard let method = OAuthClient.Authentication(rawValue: try text()) else {
      throw error("expected client_secret_basic, client_secret_post or none")
    }
    return method
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

  /// Reads one of the values of an enumeration.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_: Choice.Type) throws -> Choice {
    guard let choice = Choice(rawValue: try text()) else {
      throw error(
        "unknown value; available: "
          + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  /// Reads a text that may be empty.
  func textOrNothing() throws -> String {
    if case .scalar(let scalar) = node, scalar.string.isEmpty { return "" }
    return try text()
  }

  /// Reads `true` or `false`.
  func boolean() throws -> Bool {
    guard let value = Bool(try text()) else { throw error("expected true or false") }
    return value
  }

  /// Reads a mapping of free names to texts.
  func pairs() throws -> [String: String] {
    var pairs: [String: String] = [:]
    try readEntries { pairs[$0] = try $1.text() }
    return pairs
  }

  /// True if the value is a single text.
  var isText: Bool { if case .scalar = node { true } else { false } }

  /// Returns the value of a key; `nil` if there is no such key.
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
}
