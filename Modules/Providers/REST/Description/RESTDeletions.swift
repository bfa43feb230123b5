import Sync

/// A list that names what was deleted since an instant, beside the one of what has changed.
///
/// It comes page by page like the resource's own.
package struct RESTDeletions: Sendable, Equatable {
  /// The query item that holds the instant.
  package let parameter: String
  /// Its path; the resource's own where there is none.
  package var path: String?
  /// How the instant is written; `nil` is as for the list of changes.
  package var form: RESTDateForm?
  /// Where in its page the rows are, where that is not as in the resource's.
  package var rows: RESTPath?
  /// Where in a row the record's identifier is, where that is not as in the resource's; the root
  /// where the row is nothing else.
  package var id: RESTPath?
  /// Where in a row it says when the record was deleted.
  package var deletedAt: RESTPath?

  package init(parameter: String) {
    self.parameter = parameter
  }

  func validate(_ resource: RESTResource) throws(RESTDescriptionError) {
    if let path { try RESTResource.check(path: path, "path") }
    guard rows?.keys != nil || rows == nil else {
      throw RESTDescriptionError("rows", problem: "keys with dots between them are expected")
    }
    guard id != nil || resource.fields.fields["id"]?.path != nil else {
      throw RESTDescriptionError(
        problem: "id is missing: where in a row the identifier of the deleted record is")
    }
    guard id?.keys?.isEmpty != true || resource.paging.style != .cursor else {
      throw RESTDescriptionError(
        "id", problem: "paging by cursor takes the cursor from a field, which such a row has not")
    }
    guard path != nil || parameter != resource.changes.watermark?.parameter else {
      throw RESTDescriptionError(
        "parameter",
        problem: "that is the list of changes; give path, or the parameter for deletions")
    }
    guard parameter != resource.paging.parameter, parameter != resource.paging.sizeParameter else {
      throw RESTDescriptionError("parameter", problem: "paging sets it already")
    }
  }
}

extension RESTResource {
  /// The list of what was deleted, as one of its own; `nil` where there is none.
  var deletedRecords: RESTResource? {
    guard let deletions = changes.watermark?.deletions else { return nil }
    var list = RESTResource(kind, path: deletions.path ?? path)
    list.query = query
    list.rows = deletions.rows ?? rows
    list.paging = paging
    list.forms = forms
    var since = RESTWatermark(parameter: deletions.parameter)
    let usual = changes.watermark.flatMap { $0.parameter == nil ? nil : $0.form }
    since.form = deletions.form ?? usual ?? .instant
    list.changes = .watermark(since)
    list.fields.fields["id"] =
      deletions.id.map { RESTField(.path($0)) } ?? fields.fields["id"]
    list.fields.fields["updatedAt"] = deletions.deletedAt.map { path in
      var field = RESTField(.path(path))
      field.dateForm = fields.fields["updatedAt"]?.dateForm
      return field
    }
    return list
  }
}
