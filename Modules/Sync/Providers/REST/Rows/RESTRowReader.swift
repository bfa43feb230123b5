import Models
import Storage

/// Makes records of the rows of a page.
struct RESTRowReader<Record: RESTRecord> {
  private let resource: RESTResource

  init(_ resource: RESTResource) {
    self.resource = resource
  }

  /// - Parameter limit: rows that are dated later do not count as the newest.
  func page(
    _ raw: RESTPage, resume: RESTPlace, until limit: Timestamp
  ) -> FeedPage<Record, RESTPlace> {
    var page = FeedPage<Record, RESTPlace>(resume: resume)
    page.failures = raw.failures
    for value in raw.rows {
      let row = RESTRow(value, resource.fields, resource.forms)
      do throws(RESTRowError) {
        if let id = try removal(row) {
          page.removals.append(Removal(id: id, reason: Self.reason))
        } else {
          page.records.append(try Record(row))
        }
        if let instant = try row.instant("updatedAt"), instant <= limit {
          page.newest = max(page.newest ?? instant, instant)
        }
      } catch {
        page.failures.append(failure(error, id: try? row.text("id")))
      }
    }
    return page
  }

  /// The rows of a list of what was deleted.
  func deleted(_ raw: RESTPage, resume: RESTPlace) -> FeedPage<Record, RESTPlace> {
    var page = FeedPage<Record, RESTPlace>(resume: resume)
    page.failures = raw.failures
    for value in raw.rows {
      let row = RESTRow(value, resource.fields, resource.forms)
      do throws(RESTRowError) {
        page.removals.append(
          Removal(id: try row.required("id", row.text("id")), reason: Self.reason))
        page.newest = [page.newest, try row.instant("updatedAt")].compactMap(\.self).max()
      } catch {
        page.failures.append(failure(error, id: try? row.text("id")))
      }
    }
    return page
  }

  /// By what a record counts as deleted.
  private static var reason: String { "deleted at the provider" }

  func versions(
    _ raw: RESTPage, _ versions: RESTVersions, resume: RESTPlace
  ) -> FeedPage<Record, RESTPlace> {
    var fields = RESTFields()
    let isNumber = resource.fields.fields["version"] != nil
    var version = RESTField(.path(versions.version))
    version.dateForm = isNumber ? nil : resource.fields.fields["updatedAt"]?.dateForm
    fields.fields = ["id": RESTField(.path(versions.id)), "version": version]
    var page = FeedPage<Record, RESTPlace>(resume: resume)
    page.failures = raw.failures
    for value in raw.rows {
      let row = RESTRow(value, fields, resource.forms)
      do throws(RESTRowError) {
        let order =
          isNumber ? try row.integer("version") : try row.instant("version")?.microsecondsSinceEpoch
        page.versions.append(
          RecordVersion(id: try row.required("id", row.text("id")), order: order))
      } catch {
        page.failures.append(failure(error, id: try? row.text("id")))
      }
    }
    return page
  }

  /// Requires that the rows are in the order of change: reading on from the last one would skip others.
  func requireOrder(_ records: [Record]) throws {
    let instants = records.compactMap(\.updatedAt)
    guard zip(instants, instants.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      throw SyncError.unreadable(
        place: resource.fields.fields["updatedAt"]?.path?.description ?? "updatedAt",
        reason: "the rows are not in the order of change, the oldest first; correct changes.order")
    }
  }

  private func removal(_ row: RESTRow) throws(RESTRowError) -> String? {
    guard let deleted = resource.deleted,
      let word = deleted.path.value(in: row.value)?.word, deleted.words.contains(word)
    else { return nil }
    return try row.required("id", row.text("id"))
  }

  private func failure(_ error: RESTRowError, id: String?) -> RowFailure {
    RowFailure(id: id, path: error.path, reason: error.reason)
  }
}
