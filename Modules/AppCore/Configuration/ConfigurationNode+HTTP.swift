import HTTPTypes

extension ConfigurationNode {
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

  /// Reads the name of a header field.
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
