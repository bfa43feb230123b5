import Foundation
package import HTTPTypes
import JSONReading

/// The words with which a server explains a refusal, filtered so that they can be shown.
///
/// Servers write them in many places: the member `message` of a JSON object, or of an object in it,
/// an OAuth error as JSON or as a form (RFC 6749 section 5.2), or the header `WWW-Authenticate`
/// (RFC 6750 section 3). The text is one line of at most 400 characters, without control or
/// formatting characters. A credential that was sent is replaced by `…`, and so is any other word
/// that may be one.
public struct ProviderMessage: Sendable, Hashable, CustomStringConvertible {
  /// The words; never empty.
  public let text: String

  /// The same as ``text``.
  public var description: String { text }

  /// Xero's message for a token that it accepts and that may not read an organisation or a list.
  package static let deniedPermission = "AuthorizationUnsuccessful"

  /// The number of bytes of a body that are searched.
  private static let searchedLength = 65_536
  /// The number of scalars of a text that are filtered, and of characters that are kept.
  private static let (filteredLength, keptLength) = (4_096, 400)

  /// Finds the message of a response; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - body: the body, whatever its status; only its beginning is searched.
  ///   - fields: the header fields of the response.
  ///   - credentials: texts that the message must not repeat.
  package init?(
    body: [UInt8], fields: HTTPFields = [:], removing credentials: SentCredentials? = nil
  ) {
    let found = Self.text(in: body.prefix(Self.searchedLength)) ?? Self.text(in: fields)
    guard let found else { return nil }
    self.init(found, removing: credentials)
  }

  /// Filters a message; `nil` if nothing is left.
  ///
  /// - Parameter credentials: texts that the message must not repeat.
  package init?(_ message: String, removing credentials: SentCredentials? = nil) {
    let scalars = message.unicodeScalars.prefix(Self.filteredLength)
    var line = String(String.UnicodeScalarView(scalars.lazy.compactMap(Self.shown)))
    for credential in credentials?.texts ?? [] where credential.utf8.count >= 4 {
      for form in [credential, FormEncoding.escape(credential)] {
        line = line.replacingOccurrences(of: form, with: "…")
      }
    }
    let words = line.split(separator: " ").map { Self.isPerhapsSecret($0) ? "…" : $0 }
    line = words.joined(separator: " ")
    guard words.contains(where: { $0 != "…" }) else { return nil }
    text = line.count <= Self.keptLength ? line : line.prefix(Self.keptLength) + "…"
  }

  /// Returns a scalar as it is shown: a space for white space, `nil` for one without a glyph, such
  /// as one that reverses the text after it.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.properties.isWhitespace { return " " }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned: return nil
    default: return scalar
    }
  }

  /// Returns true for a long word with digits: a server may repeat a credential of another kind.
  private static func isPerhapsSecret(_ word: Substring) -> Bool {
    word.utf8.count >= 20 && word.utf8.contains { (0x30...0x39).contains($0) }
  }
}

/// An error that can carry the words of a server.
public protocol ProviderMessageCarrying: Error {
  /// The server's own words, if the error is about one of its answers.
  var providerMessage: ProviderMessage? { get }
}

/// The credentials of a request, so that no message repeats them.
package struct SentCredentials: Sendable, CustomReflectable {
  private let values: [String]

  package var customMirror: Mirror { Mirror(self, children: []) }

  /// - Parameter values: secret texts, or values of header fields that contain them.
  package init(_ values: [String]) {
    self.values = values
  }

  /// The texts to remove: each value without its scheme, such as `Bearer`, and the user and the
  /// password in it.
  var texts: [String] {
    let words = values.compactMap { $0.split(separator: " ").last.map(String.init) }
    return words
      + words.compactMap { Data(base64Encoded: $0) }
      .flatMap { String(decoding: $0, as: UTF8.self).split(separator: ":").map(String.init) }
  }
}

// MARK: - Places

extension ProviderMessage {
  /// The keys of messages in lower case, the best first.
  private static let keys = [
    "error_description", "error_message", "errormessage", "message", "detail", "description",
    "msg", "reason", "title", "error", "errors", "fault",
  ]
  /// Those that no record has, so that they also count in an object around the answer.
  private static let keysOfErrors: Set = [
    "error_description", "error_message", "errormessage", "error", "errors", "fault",
  ]

  private static func text(in body: ArraySlice<UInt8>) -> String? {
    guard let first = body.first(where: { $0 > 0x20 }), first != UInt8(ascii: "<") else {
      return nil
    }
    var reader = JSONReader(Array(body))
    if let text = text(&reader, depth: 0) { return text }
    guard first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
      let form = String(validating: body, as: UTF8.self).flatMap({ FormEncoding.decode($0) })
    else { return nil }
    return ["error_description", "error"].lazy
      .compactMap { key in form.first { $0.name == key && !$0.value.isEmpty }?.value }.first
  }

  /// Returns the best text of a value; of one that is cut off, the best that was read.
  ///
  /// - Parameter isInside: true in an object around the answer, such as `response`.
  private static func text(
    _ reader: inout JSONReader, depth: Int, isInside: Bool = false
  ) -> String? {
    var best: (rank: Int, text: String)?
    do {
      if reader.isAtString, !isInside {
        let text = try reader.readString()
        return text.isEmpty ? nil : text
      }
      guard depth < 4, reader.isAtObject || reader.isAtList else {
        try reader.skipValue()
        return nil
      }
      if reader.isAtObject {
        try reader.readMembers { reader, key, _ in
          let key = key.description.lowercased()
          let isMessage = !isInside || keysOfErrors.contains(key)
          let rank = isMessage ? keys.firstIndex(of: key) ?? keys.count : keys.count
          guard rank < best?.rank ?? keys.count + 1 else { return try reader.skipValue() }
          let found = text(&reader, depth: depth + 1, isInside: rank == keys.count)
          if let found { best = (rank, found) }
        }
      } else if isInside {
        // The rows of a page, which may be many.
        try reader.skipValue()
      } else {
        try reader.readArray { reader in
          guard best == nil else { return try reader.skipValue() }
          if let text = text(&reader, depth: depth + 1) { best = (0, text) }
        }
      }
    } catch {
      // The rest of the body is missing, or no JSON.
    }
    return best?.text
  }

  private static func text(in fields: HTTPFields) -> String? {
    for value in fields[values: .wwwAuthenticate] {
      for challenge in AuthenticationChallenge.parse(String(value.prefix(4_096))) {
        guard let description = challenge.parameters["error_description"] else { continue }
        let scope = challenge.parameters["scope"].flatMap { ScopeWords($0).text }
        return description + (scope.map { " (scope: \($0))" } ?? "")
      }
    }
    return nil
  }
}
