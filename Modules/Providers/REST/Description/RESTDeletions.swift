import Sync

/// A list of the records deleted since an instant, separate from the list of changes.
///
/// It is paged like the resource's own list.
package struct RESTDeletions: Sendable, Equatable {
  /// The query item that holds the instant.
  package let parameter: String
  /// URL path of the list; `nil` means the resource's own path.
  package var path: String?
  /// Format of the instant.
  ///
  /// `nil` means the format in the list of changes if a query item carries the instant there, else
  /// RFC 3339.
  package var form: RESTDateForm?
  /// Path of the rows in a page; `nil` means the same path as in the resource's pages.
  package var rows: RESTPath?
  /// Path of the record's identifier in a row; `nil` means the same path as in the resource's rows.
  ///
  /// It is the root if a row is only an identifier.
  package var id: RESTPath?
  /// Path of the time of deletion in a row.
  package var deletedAt: RESTPath?

  package init(parameter: String) {
    self.parameter = parameter
  }

  func validate(_ resource: RESTResource) throws(RESTDescriptionError) {
    if let path { try RESTResource.check(path: path, "path") }
    guard rows?.keys != nil || rows == nil else {
      throw RESTDescriptionError("rows", problem: "expected keys separated by dots")
    }
    guard id != nil || resource.fields.fields["id"]?.path != nil else {
      throw RESTDescriptionError(
        problem: "id is missing; give the path of the deleted record's identifier")
    }
    guard id?.keys?.isEmpty != true || resource.paging.style != .cursor else {
      throw RESTDescriptionError(
        "id", problem: "the paging style 'cursor' needs a field that rows of this list do not have")
    }
    guard path != nil || parameter != resource.changes.watermark?.parameter else {
      throw RESTDescriptionError(
        "parameter",
        problem: "this is the list of changes; set path, or the parameter for deletions")
    }
    guard parameter != resource.paging.parameter, parameter != resource.paging.sizeParameter else {
      throw RESTDescriptionError("parameter", problem: "paging sets it already; remove it here")
    }
  }
}

extension RESTResource {
  /// The list of deleted records as a resource of its own; `nil` if there is none.
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
