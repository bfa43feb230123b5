import HTTPTypes

extension Fault: Decodable {
  /// Decodes a fault; an unknown member, or one out of range, is an error.
  public init(from decoder: any Decoder) throws {
    try Self.refuseUnknownMembers(decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys, in range: ClosedRange<Int>) throws -> Int? {
      guard let value = try container.decodeIfPresent(Int.self, forKey: key) else { return nil }
      guard range.contains(value) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "\(key.stringValue) is not within \(range)")
      }
      return value
    }
    let headers = try container.decodeIfPresent([String: String].self, forKey: .headers) ?? [:]
    for name in headers.keys where HTTPField.Name(name) == nil {
      throw DecodingError.dataCorruptedError(
        forKey: .headers, in: container, debugDescription: "\(name) is not a header name")
    }
    let path = try container.decode(String.self, forKey: .path)
    let word = try container.decode(String.self, forKey: .kind)
    guard let kind = Kind(rawValue: word) else {
      let available = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container,
        debugDescription: "unknown kind '\(word)'; available: \(available)")
    }
    self.init(
      path: path,
      kind: kind,
      organisation: try container.decodeIfPresent(String.self, forKey: .organisation),
      skip: try number(.skip, in: 0...1_000_000) ?? 0,
      times: try number(.times, in: 1...1_000_000) ?? 1,
      status: try number(.status, in: 200...599),
      headers: headers,
      body: try container.decodeIfPresent(String.self, forKey: .body),
      delayMilliseconds: try number(.delayMilliseconds, in: 0...3_600_000) ?? 0)
  }

  /// Throws an error for unknown members: with a misspelt one, the fault would not be the intended
  /// one.
  private static func refuseUnknownMembers(_ decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    let known = Set(CodingKeys.allCases.map(\.stringValue))
    guard let unknown = members.filter({ !known.contains($0) }).min() else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath, debugDescription: "\(unknown) is not known"))
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) {
      nil
    }
  }
}
