import Models

/// Parses the query and the headers of `GET /api.xro/2.0/Invoices`.
enum XeroQuery {
  /// The reason why a query is refused.
  struct Refused: Error {
    var message: String
  }

  /// The known parameters; it is better to refuse any other than to ignore it.
  private static let known: Set<String> = [
    "page", "pageSize", "order", "unitdp", "includeArchived",
  ]

  /// Parses the query; an unknown parameter, order or number is refused.
  ///
  /// `includeArchived` is accepted and has no effect, because nothing is archived here.
  static func invoices(
    _ parameters: FormParameters, modifiedSince: String?, defaultPageSize: Int
  ) throws(Refused) -> LedgerQuery {
    if let unknown = parameters.names.subtracting(known).sorted().first {
      throw Refused(message: "The parameter '\(unknown)' is not supported")
    }
    if let repeated = parameters.repeated.sorted().first {
      throw Refused(message: "The parameter '\(repeated)' is repeated")
    }
    try check(parameters, "includeArchived", ["true", "false"])
    try check(parameters, "unitdp", ["2", "4"])
    var query = LedgerQuery()
    if parameters["unitdp"] == "4" { query.unitDecimals = 4 }
    query.page = try number(parameters, "page", in: 1...Int(Int32.max)) ?? 1
    query.pageSize = try number(parameters, "pageSize", in: 1...1_000) ?? defaultPageSize
    query.newestFirst = try isNewestFirst(parameters["order"])
    if let modifiedSince {
      guard let instant = ModifiedSince.instant(modifiedSince) else {
        throw Refused(message: "If-Modified-Since is not a date and time")
      }
      query.modifiedSince = instant
    }
    return query
  }

  private static func isNewestFirst(_ order: String?) throws(Refused) -> Bool {
    let words = (order ?? "UpdatedDateUTC").split(separator: " ").map { $0.uppercased() }
    guard words.first == "UPDATEDDATEUTC", words.count <= 2 else {
      throw Refused(message: "Only the order UpdatedDateUTC is supported")
    }
    switch words.dropFirst().first {
    case nil, "ASC": return false
    case "DESC": return true
    default: throw Refused(message: "The direction of the order is ASC or DESC")
    }
  }

  private static func number(
    _ parameters: FormParameters, _ name: String, in range: ClosedRange<Int>
  ) throws(Refused) -> Int? {
    guard let text = parameters[name] else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw Refused(message: "\(name) is not between \(range.lowerBound) and \(range.upperBound)")
    }
    return value
  }

  private static func check(
    _ parameters: FormParameters, _ name: String, _ allowed: [String]
  ) throws(Refused) {
    guard let value = parameters[name], !allowed.contains(value.lowercased()) else { return }
    throw Refused(message: "\(name) is one of \(allowed.joined(separator: ", "))")
  }
}
