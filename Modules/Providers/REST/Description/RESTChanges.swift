import Sync

/// The way in which a list reports changes.
package enum RESTChanges: Sendable, Equatable {
  /// Not at all: every run reads the whole list.
  case sweep
  /// By a filter: a request can ask for the records changed since an instant.
  case watermark(RESTWatermark)
  /// By versions: a list holds identifiers and versions, and records are fetched by identifier.
  case versions(RESTVersions)

  var watermark: RESTWatermark? {
    if case .watermark(let watermark) = self { watermark } else { nil }
  }

  var versions: RESTVersions? {
    if case .versions(let versions) = self { versions } else { nil }
  }
}

/// The requests for a list of versions and for records by identifier.
package struct RESTVersions: Sendable, Equatable {
  /// The part of a request that carries the identifiers.
  package enum Identifiers: Sendable, Equatable {
    /// A query item, with the identifiers separated by commas.
    case parameter(String)
    /// A list under a key of a JSON body, sent by POST.
    case body(String)
  }

  /// URL path of the list of versions.
  package let path: String
  /// Path of the rows in a page of versions.
  package var rows: RESTPath
  /// Path of the identifier in a row.
  package var id: RESTPath
  /// Path in a row of the version or of the time of the last change.
  package var version: RESTPath
  /// The part of a request that carries the identifiers.
  package let identifiers: Identifiers
  /// URL path of the request for records; `nil` means the resource's own path.
  package var recordsPath: String?
  /// Largest number of records per request.
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
