import Models
import Storage
import Sync

/// A reader that makes records from the rows of a page.
struct RESTRowReader<Record: RESTRecord> {
  private let resource: RESTResource

  init(_ resource: RESTResource) {
    self.resource = resource
  }

  /// Returns the page with the records and removals of its rows.
  ///
  /// - Parameter limit: the latest time of change that counts as the newest.
  /// - Throws: `CancellationError` if the task is cancelled; so do the functions below.
  func page(
    _ raw: RESTPage, resume: RESTCursor, until limit: Timestamp
  ) throws -> Page<[Record], RESTCursor> {
    var indices: [String: Int] = [:]
    return try changes(raw, resource.fields, resume: resume, until: limit) {
      page, row throws(RESTRowError) in
      let record = try Record(row)
      if let index = indices[record.id] {
        // One would replace the other in the database, and nobody would notice.
        guard page.records[index] == record else {
          throw row.error(
            .id, "another row of this page has it; describe what identifies each record")
        }
      } else {
        indices[record.id] = page.records.count
        page.records.append(record)
      }
    }
  }

  func deleted(_ raw: RESTPage, resume: RESTCursor) throws -> Page<[Record], RESTCursor> {
    try rows(raw, resource.fields, resume: resume) { page, row throws(RESTRowError) in
      let instant = try row.instant(.updatedAt)
      page.removals.append(
        Removal(id: try row.required(.id, row.text(.id)), reason: Self.reason, at: instant))
      page.newest = [page.newest, instant].compactMap(\.self).max()
    }
  }

  static var reason: String { "deleted at the provider" }

  func versions(
    _ raw: RESTPage, _ versions: RESTVersions, resume: RESTCursor
  ) throws -> Page<[Record], RESTCursor> {
    let isNumber = resource.fields.fields["version"] != nil
    var version = RESTField(.path(versions.version))
    version.dateForm = isNumber ? nil : resource.fields.fields["updatedAt"]?.dateForm
    var fields = RESTFields()
    fields.fields = [
      "id": resource.identifier(at: versions.id), isNumber ? "version" : "updatedAt": version,
    ]
    return try rows(raw, fields, resume: resume) { page, row throws(RESTRowError) in
      page.versions.append(try self.version(row))
    }
  }

  /// Returns the versions in a list whose records are fetched individually.
  ///
  /// - Parameter unsettled: instants that do not identify a version; a record that changed in them
  ///   is always fetched.
  func listed(
    _ raw: RESTPage, resume: RESTCursor, until limit: Timestamp,
    unsettled: PartialRangeFrom<Timestamp>?
  ) throws -> Page<[Record], RESTCursor> {
    try changes(raw, resource.listedFields, resume: resume, until: limit) {
      page, row throws(RESTRowError) in
      page.versions.append(try version(row, unsettled: unsettled))
    }
  }

  private typealias RowHandler = (inout Page<[Record], RESTCursor>, RESTRow) throws(RESTRowError)
    -> Void

  private func rows(
    _ raw: RESTPage, _ fields: RESTFields, resume: RESTCursor, _ add: RowHandler
  ) throws -> Page<[Record], RESTCursor> {
    var page = Page<[Record], RESTCursor>(resume: resume)
    page.failures = raw.failures
    var layouts = RESTLayouts(RESTPlan(fields, resource.forms))
    try raw.rows.readEach { value in
      for record in resource.records(in: value) {
        let row = layouts.row(record)
        do throws(RESTRowError) { try add(&page, row) } catch {
          page.failures.append(
            RowFailure(id: try? row.text(.id), path: error.path, reason: error.reason))
        }
      }
    }
    return page
  }

  /// Returns the page of rows that show when they changed, and which of them are deleted.
  ///
  /// - Parameter add: adds a row that is not deleted.
  private func changes(
    _ raw: RESTPage, _ fields: RESTFields, resume: RESTCursor, until limit: Timestamp,
    _ add: RowHandler
  ) throws -> Page<[Record], RESTCursor> {
    try rows(raw, fields, resume: resume) { page, row throws(RESTRowError) in
      if resource.isDeleted(row.value) {
        let id = try row.required(.id, row.text(.id))
        page.removals.append(Removal(id: id, reason: Self.reason))
      } else {
        try add(&page, row)
      }
      if let instant = try row.instant(.updatedAt), instant <= limit {
        page.newest = max(page.newest ?? instant, instant)
      }
    }
  }

  private func version(
    _ row: RESTRow, unsettled: PartialRangeFrom<Timestamp>? = nil
  ) throws(RESTRowError) -> RecordVersion {
    let id: String = try row.required(.id, row.text(.id))
    // The order must be the one that stored records have.
    guard row.plan[.version] == nil else {
      return RecordVersion(id: id, order: try row.integer(.version))
    }
    guard let instant = try row.instant(.updatedAt), unsettled?.contains(instant) != true else {
      return RecordVersion(id: id, order: nil)
    }
    return RecordVersion(id: id, order: instant.microsecondsSinceEpoch)
  }

  func instants(_ raw: RESTPage) throws -> [Timestamp] {
    var layouts = RESTLayouts(RESTPlan(resource.listedFields, resource.forms))
    var instants: [Timestamp] = []
    try raw.rows.readEach { row in
      for record in resource.records(in: row) {
        if let instant = (try? layouts.row(record).instant(.updatedAt)) ?? nil {
          instants.append(instant)
        }
      }
    }
    return instants
  }

  /// Requires that rows are sorted by change: continuing from the last row would otherwise skip
  /// rows.
  func requireOrder(_ instants: [Timestamp]) throws {
    guard zip(instants, instants.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      throw SyncError.unreadable(
        part: resource.fields.fields["updatedAt"]?.path?.description ?? "updatedAt",
        reason: "the rows are not sorted by change, oldest first; correct changes.order")
    }
  }
}
