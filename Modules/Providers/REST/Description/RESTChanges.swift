package import HTTPTypes
import JSONReading
package import Models
import Sync

/// The way in which a list reports changes.
package enum RESTChanges: Sendable, Equatable {
  /// Not at all: every run reads the whole list.
  case sweep
  /// By a filter: a request can ask for the records changed since an instant.
  case watermark(RESTWatermark)
  /// By versions: a list holds identifiers and versions, and records are fetched by identifier.
  case versions(RESTVersions)

  package var watermark: RESTWatermark? {
    if case .watermark(let watermark) = self { watermark } else { nil }
  }

  package var versions: RESTVersions? {
    if case .versions(let versions) = self { versions } else { nil }
  }
}

/// The requests for a list of versions and for records by identifier.
package struct RESTVersions: Sendable, Equatable {
  /// The part of a request that carries the identifiers.
  package enum Identifiers: Sendable, Equatable {
    case parameter(String)
    case body(String)
  }

  package let path: String
  package var rows: RESTPath
  package var id: RESTPath
  package var version: RESTPath
  package let identifiers: Identifiers
  /// URL path of the request for records; `nil` means the resource's own path.
  package var recordsPath: String?
  package var batch = 100

  package init(
    path: String, rows: RESTPath, id: RESTPath, version: RESTPath, identifiers: Identifiers
  ) {
    self.path = path
    self.rows = rows
    self.id = id
    self.version = version
    self.identifiers = identifiers
  }
}

/// The way in which a request asks for the records changed since an instant.
package struct RESTWatermark: Sendable, Equatable {
  /// The part of a request that carries the instant.
  package enum Carrier: Sendable, Equatable {
    case parameter(String)
    /// A header field, such as `If-Modified-Since` (RFC 9110 section 13.1.3).
    case header(HTTPField.Name)
  }

  package let carrier: Carrier
  package var form: RESTDateForm
  /// The text of the query item, with ``since`` in place of the instant; `nil` if it is the instant
  /// alone.
  package var template: String?
  /// The query items that sort the list by change, oldest first; empty if the server cannot sort
  /// it.
  package var order: [String: String] = [:]
  /// The time before the watermark that is read again, because a server can show changes late.
  package var overlap = Duration.seconds(60)
  /// The list of records deleted since an instant; `nil` if there is none.
  package var deletions: RESTDeletions?

  /// Creates a watermark in a query item; ``form`` is RFC 3339 by default.
  package init(parameter: String) {
    carrier = .parameter(parameter)
    form = .instant
  }

  /// Creates a watermark in a header field; ``form`` is an HTTP date by default.
  package init(header: HTTPField.Name) {
    carrier = .header(header)
    form = .http
  }

  /// The text that stands for the instant in ``template``.
  package static let since = "{since}"

  /// Returns the instant that the text of the query item states; `nil` if it states none.
  package func instant(in text: String) -> Timestamp? {
    guard let template else { return form.instant(.text(text)) }
    let parts = template.split(separator: Self.since, omittingEmptySubsequences: false)
    guard parts.count == 2, text.hasPrefix(parts[0]), text.hasSuffix(parts[1]),
      text.count > parts[0].count + parts[1].count
    else { return nil }
    return form.instant(.text(String(text.dropFirst(parts[0].count).dropLast(parts[1].count))))
  }

  /// Returns the text of the query item for an instant.
  func text(of instant: Timestamp) -> String {
    let text = form.text(of: instant)
    return template?.replacing(Self.since, with: text) ?? text
  }

  package var isOrdered: Bool { !order.isEmpty }

  package var parameter: String? {
    if case .parameter(let name) = carrier { name } else { nil }
  }

  package var header: HTTPField.Name? {
    if case .header(let name) = carrier { name } else { nil }
  }
}

/// A list of the records deleted since an instant, separate from the list of changes.
///
/// It is paged like the resource's own list.
package struct RESTDeletions: Sendable, Equatable {
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
    guard rows?.readsParent != true else {
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
  package var deletedRecords: RESTResource? {
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
      deletions.id.map(identifier) ?? fields.fields["id"]
    list.fields.fields["updatedAt"] = deletions.deletedAt.map { path in
      var field = RESTField(.path(path))
      field.dateForm = fields.fields["updatedAt"]?.dateForm
      return field
    }
    return list
  }
}

/// The request that fetches a single record, for a list whose rows hold too little.
package struct RESTDetail: Sendable, Equatable {
  package static let id = "{id}"

  package let path: String
  package var query: RESTQuery = [:]
  package var row = RESTPath.root
  /// Paths of `id`, `version` and `updatedAt` in a row of the list, if they differ from those in
  /// the record.
  package var listed: [String: RESTPath] = [:]

  package static let listedFields = ["id", "version", "updatedAt"]

  package init(path: String) {
    self.path = path
  }

  func validate(_ resource: RESTResource) throws(RESTDescriptionError) {
    if resource.changes.versions != nil {
      throw RESTDescriptionError(
        problem: "the model 'versions' fetches records by its own requests; remove detail")
    }
    try Self.check(path, query)
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

  /// Requires that the address of one record has a place for its identifier.
  static func check(_ path: String, _ query: RESTQuery) throws(RESTDescriptionError) {
    try RESTResource.check(path: path, "path")
    guard path.contains(id) || query.values.joined().contains(where: { $0.contains(id) }) else {
      throw RESTDescriptionError(
        "path",
        problem: "{id} is missing; write it where the identifier belongs, as in /invoices/{id}")
    }
  }
}

extension RESTResource {
  /// The fields that are read from a row of the list.
  ///
  /// They are all fields of the record; with a ``detail``, they are only
  /// ``RESTDetail/listedFields``.
  package var listedFields: RESTFields {
    guard let detail else { return fields }
    var listed = RESTFields()
    for name in RESTDetail.listedFields {
      guard let path = detail.listed[name] else {
        listed.fields[name] = fields.fields[name]
        continue
      }
      var field = name == "id" ? identifier(at: path) : RESTField(.path(path))
      field.dateForm = fields.fields[name]?.dateForm
      listed.fields[name] = field
    }
    return listed
  }
}
