import HTTPTypes
import Models
package import Networking
package import Sync

// What the pages hold, and how many records the list has.
extension RESTFeed {
  package var contents: ListContents<Record, RESTCursor> {
    if let detail = resource.detail {
      // The list shows which records to fetch individually. A small batch repeats little if the
      // server demands a pause.
      return .versions(batch: resource.changes.versions?.batch ?? 5) { ids, cursor, ask in
        try await RESTDetailReader(resource: resource, requests: requests, ask: ask)
          .records(ids, detail, at: cursor)
      }
    }
    guard let versions = resource.changes.versions else { return .records }
    return .versions(batch: versions.batch) { ids, cursor, ask in
      let response = try await ask(requests.records(ids, versions))
      let raw = try RESTPage(
        response.body, rows: resource.rows, id: resource.fields.fields["id"]?.path)
      return try RESTRowReader<Record>(resource).page(
        raw, resume: cursor, until: response.serverTime)
    }
  }

  package func count(at cursor: RESTCursor, ask: @escaping Ask) async throws -> ListCount {
    guard canHaveMissed(until: cursor) else { return .notNeeded }
    guard resource.count != nil else { return .unknown }
    let response = try await ask(requests.page(RESTCursor(order: .byPages)))
    return try total(in: response).map(ListCount.records) ?? .unknown
  }

  /// Returns true if rows may have moved while the list was read up to a cursor.
  private func canHaveMissed(until cursor: RESTCursor) -> Bool {
    guard !cursor.isRepeated else { return false }
    return switch cursor.order {
    case .byInstant: cursor.pagedInside == true && !resource.paging.isStable
    case .catchingUp: true
    // A list of one page shows a single moment.
    case .byPages: !resource.paging.isStable && (!cursor.isFirst || cursor.since != nil)
    }
  }

  package func total(in response: Response) throws -> Int? {
    guard response.head.status.code != 204 else { return 0 }
    return try RESTPage(response.body, of: resource).number(at: resource.count)
  }
}
