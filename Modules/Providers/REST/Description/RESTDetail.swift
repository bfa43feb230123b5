import Sync

/// How the records of a list are asked for one by one, where its rows hold too little.
package struct RESTDetail: Sendable, Equatable {
  /// Stands for the identifier in the path or in a query item.
  package static let id = "{id}"

  /// The path of a record.
  package let path: String
  /// Query items of each request.
  package var query: [String: String] = [:]
  /// Where in the answer the record is.
  package var row = RESTPath.root
  /// Where in a row of the list `id`, `version` and `updatedAt` are, where that is not as in the
  /// record.
  package var listed: [String: RESTPath] = [:]

  /// What ``listed`` can hold.
  package static let listedFields = ["id", "version", "updatedAt"]

  package init(path: String) {
    self.path = path
  }

  func validate(_ resource: RESTResource) throws(RESTDescriptionError) {
    if resource.changes.versions != nil {
      throw RESTDescriptionError(
        problem: "the model 'versions' asks for records in a way of its own; leave detail out")
    }
    try RESTResource.check(path: path, "path")
    guard path.contains(Self.id) || query.values.contains(where: { $0.contains(Self.id) }) else {
      throw RESTDescriptionError(
        "path", problem: "{id} is missing: where the identifier stands, as in /invoices/{id}")
    }
    for name in ["version", "updatedAt"]
    where listed[name] != nil && resource.fields.fields[name] == nil {
      throw RESTDescriptionError(
        name,
        problem: "fields has to say where it is in the record as well, or none is ever up to date")
    }
    guard listed["id"] != nil || resource.fields.fields["id"]?.path != nil else {
      throw RESTDescriptionError(problem: "id is missing: where in a row of the list it is")
    }
  }
}

extension RESTResource {
  /// What is read of a row of the list: the record, or with a detail that there is one, and in
  /// which version.
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
