import HTTPTypes
import JSONReading
package import Models
package import Networking
package import Storage
package import Sync

/// The parts of a list that `appcore doctor --provider` shows.
extension RESTFeed: FieldExplaining {
  package func readings(of body: [UInt8]) throws -> [FieldReading] {
    guard let first = try records(in: body).first else { return [] }
    return RESTRow(first, resource.fields, resource.forms).readings(RESTSchema.of(resource.kind))
  }

  package func words(in bodies: [[UInt8]]) throws -> (words: [WordReading], warnings: [String]) {
    let rows = try bodies.flatMap { try records(in: $0) }
      .map { RESTRow($0, resource.fields, resource.forms) }
    let schema = RESTSchema.of(resource.kind)
    return (RESTRow.words(in: rows, schema), RESTRow.warnings(about: rows, schema))
  }

  /// Returns the records in a response, a page or the answer to a request for one record, without
  /// those that are marked as deleted.
  private func records(in body: [UInt8]) throws -> [JSONValue] {
    if let detail = resource.detail { return (try? detail.record(in: body)).map { [$0] } ?? [] }
    let page =
      resource.changes.versions == nil
      ? try RESTPage(body, of: resource)
      : try RESTPage(body, rows: resource.rows, id: resource.fields.fields["id"]?.path)
    var records: [JSONValue] = []
    try page.rows.readEach { row in
      records += resource.records(in: row).filter { !resource.isDeleted($0) }
    }
    return records
  }

  package func changesTrial(after page: Response) throws -> ChangesTrial? {
    guard let described = resource.changes.watermark,
      let filter = described.parameter ?? described.header?.rawName
    else { return nil }
    let resource = resource
    let reader = RESTRowReader<Record>(resource)
    let first = try RESTPage(page, of: resource)
    let newest = try reader.instants(first).filter { $0 <= page.serverTime }.max()
    let (listed, isDated) = (first.count, isDated)
    // As the next sync asks: from just before the newest row, or else from now on.
    let since = watermark(newest) ?? page.serverTime
    let text = described.text(of: since)
    return ChangesTrial(
      filter: filter, text: text,
      request: try requests.page(
        RESTCursor(order: isOrdered ? .byInstant : .byPages, since: since))
    ) { response in
      let isEmpty = response.head.status.code == 304
      let changed = isEmpty ? nil : try RESTPage(response, of: resource)
      let count = changed?.count ?? 0
      let rows = "\(count) \(count == 1 ? "row" : "rows")"
      if newest != nil, count == 0 {
        return (rows, "it lists no row, though one of the list has changed since", nil)
      }
      // A text without a zone may be an instant of any.
      let earliest = since.adding(seconds: described.form.statesZone ? 0 : -86_400)
      let older = try changed.map { try reader.instants($0) }?.filter { $0 < earliest }.count ?? 0
      var warning: String?
      if older > 0 {
        warning = "\(older) of \(rows) that `\(filter)` lists changed before \(text)"
      } else if isDated, listed > 0, newest == nil {
        warning = "no row of the list states its time of change, so each sync reads everything"
      } else if newest == nil, count >= 3, count >= listed {
        warning = "`\(filter)` lists as many rows as the list without it"
      }
      return (rows, nil, warning)
    }
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
}
