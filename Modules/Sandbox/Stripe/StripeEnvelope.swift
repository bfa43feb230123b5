/// The bodies of Stripe's responses.
enum StripeEnvelope {
  /// The reason why a request is refused.
  enum Refused: Error {
    /// A parameter is invalid.
    case parameter
    /// A parameter names something unknown; the error for an unknown cursor differs from that for
    /// an unknown path.
    case missing(String, isCursor: Bool)
  }

  /// Returns a page of a list, from the row after the named one.
  static func page<Row>(
    _ rows: [Row], id: (Row) -> String, _ parameters: FormParameters,
    _ write: (Row, inout JSONWriter) -> Void
  ) throws -> [UInt8] {
    let limit = parameters["limit"].map { Int($0) ?? 0 } ?? 10
    guard (1...100).contains(limit) else { throw Refused.parameter }
    var first = 0
    if let after = parameters["starting_after"] {
      guard let index = rows.firstIndex(where: { id($0) == after }) else {
        throw Refused.missing("starting_after", isCursor: true)
      }
      first = index + 1
    }
    var writer = JSONWriter()
    list(rows[min(first, rows.count)...], limit: limit, to: &writer, write)
    return writer.bytes
  }

  /// Writes a truncated list.
  static func list<Row>(
    _ rows: ArraySlice<Row>, limit: Int, to writer: inout JSONWriter,
    _ write: (Row, inout JSONWriter) -> Void
  ) {
    writer.object { writer in
      writer.member("object", "list")
      writer.key("data")
      writer.array { writer in
        for row in rows.prefix(limit) { write(row, &writer) }
      }
      writer.member("has_more", rows.count > limit)
    }
  }

  static func account(_ id: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", id)
      writer.member("object", "account")
      writer.key("settings")
      writer.object { writer in
        writer.key("dashboard")
        writer.object { $0.member("timezone", "Etc/UTC") }
      }
    }
    return writer.bytes
  }

  static func balance(isLive: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("object", "balance")
      writer.member("livemode", isLive)
    }
    return writer.bytes
  }

  static func error(code: String?, _ message: String, parameter: String? = nil) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("error")
      writer.object { writer in
        writer.member(ifPresent: code, "code")
        writer.member("message", message)
        writer.member(ifPresent: parameter, "param")
        writer.member("type", "invalid_request_error")
      }
    }
    return writer.bytes
  }
}
