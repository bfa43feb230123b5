import Sync

/// The request that fetches a single record, for a list whose rows hold too little.
package struct RESTDetail: Sendable, Equatable {
  /// Placeholder for the identifier in the path or in a query item.
  package static let id = "{id}"

  /// URL path of a record.
  package let path: String
  /// Query items of each request.
  package var query: [String: String] = [:]
  /// Path of the record in the response.
  package var row = RESTPath.root
  /// Paths of `id`, `version` and `updatedAt` in a row of the list, if they differ from those in
  /// the record.
  package var listed: [String: RESTPath] = [:]

  /// The fields that ``listed`` can hold.
  package static let listedFields = ["id", "version", "updatedAt"]

  package init(path: String) {
    self.path = path
  }

  func validate(_ resource: RESTResource) throws(RESTDescriptionError) {
    if resource.changes.versions != nil {
      throw RESTDescriptionError(
        problem: "the model 'versions' fetches records by its own requests; remove detail")
    }
    try RESTResource.check(path: path, "path")
    guard path.contains(Self.id) || query.values.contains(where: { $0.contains(Self.id) }) else {
      throw RESTDescriptionError(
        "path",
        problem: "{id} is missing; write it where the identifier belongs, as in /invoices/{id}")
    }
    for name in ["version", "updatedAt"]
    where listed[name] != nil && resource.fields.fields[name] == nil {
      throw RESTDescriptionError(
        name,
        problem: "fields must have it as well, with its path in the record")
    }
    guard listed["id"] != nil || resource.fields.fields["id"]?.path != nil else {
      throw RESTDescriptionError(problem: "id is missing; give its path in a row of the list")
    }
  }
}

extension RESTResource {
  /// The fields that are read from a row of the list.
  ///
  /// They are all fields of the record; with a ``detail``, they are only
  /// ``RESTDetail/listedFields``.
  var listedFields: RESTFields {
    guard let detail else { return fields }
    var listed = RESTFields()
    for name in RESTDetail.listedFields {
      guard let path = detail.listed[name] else {
        listed.fields[name] = fields.fields[name]
        continue
      }
      var field = RESTField(.path(path))
      field.dateForm = fields.fields[name]?.dateForm
      listed.fields[name] = field
    }
    return listed
  }
}
