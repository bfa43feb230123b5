import JSONReading
package import Models
package import Networking
package import Storage
package import Sync

extension RESTFeed: FieldExplaining {
  package func readings(of body: [UInt8]) throws -> [FieldReading] {
    guard let first = try sampleRow(body) else { return [] }
    return RESTRow(first, resource.fields, resource.forms).readings(RESTSchema.of(resource.kind))
  }

  package func deletionsRequest(since instant: Timestamp) throws -> Request? {
    guard let list = resource.deletedRecords else { return nil }
    return try requests.of(list).page(RESTCursor(order: .byPages, since: instant))
  }

  package func deletions(
    _ response: Response
  ) throws -> (removals: [Removal], failures: [RowFailure]) {
    guard let list = resource.deletedRecords else { return ([], []) }
    let raw = try RESTPage(response, of: list)
    let page = try RESTRowReader<Record>(list).deleted(raw, resume: RESTCursor(order: .byPages))
    return (page.removals, page.failures)
  }

  /// Returns the first record in a response.
  private func sampleRow(_ body: [UInt8]) throws -> JSONValue? {
    guard let detail = resource.detail else {
      return try RESTPage(body, of: resource).rows.first
    }
    return try? detail.record(in: body)
  }
}
