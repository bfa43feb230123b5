extension RESTFeed: FieldExplaining {
  package func readings(of body: [UInt8]) throws -> [FieldReading] {
    let page = try RESTPage(body, rows: resource.rows)
    guard let first = page.rows.first, let schema = RESTSchema.of(resource.name) else { return [] }
    return RESTRow(first, resource.fields, resource.forms).readings(schema)
  }
}
