extension RESTFeed: FieldExplaining {
  package func readings(of body: [UInt8]) throws -> [FieldReading] {
    guard let schema = RESTSchema.of(resource.name), let first = try sampleRow(body) else {
      return []
    }
    return RESTRow(first, resource.fields, resource.forms).readings(schema)
  }

  /// The first record of an answer.
  private func sampleRow(_ body: [UInt8]) throws -> JSONValue? {
    guard let detail = resource.detail else {
      return try RESTPage(body, rows: resource.rows).rows.first
    }
    return try? detail.record(in: body)
  }
}
