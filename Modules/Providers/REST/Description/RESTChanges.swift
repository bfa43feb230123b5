import Sync

/// How a list tells what has changed.
package enum RESTChanges: Sendable, Equatable {
  /// Not at all: everything is read every time.
  case sweep
  /// It can be asked for what has changed since an instant.
  case watermark(RESTWatermark)
  /// It has a list of identifiers and versions, and hands out records by identifier.
  case versions(RESTVersions)

  var watermark: RESTWatermark? {
    if case .watermark(let watermark) = self { watermark } else { nil }
  }

  var versions: RESTVersions? {
    if case .versions(let versions) = self { versions } else { nil }
  }
}

/// How the versions of all records are had, and records by their identifiers.
package struct RESTVersions: Sendable, Equatable {
  /// How identifiers are handed over.
  package enum Identifiers: Sendable, Equatable {
    /// In a query item, with commas between them.
    case parameter(String)
    /// As a list under a key of a JSON body, by POST.
    case body(String)
  }

  /// The path of the list of versions.
  package let path: String
  /// Where in its page the rows are.
  package var rows: RESTPath
  /// Where in its row the identifier is.
  package var id: RESTPath
  /// Where in its row the version is, or the instant of the last change.
  package var version: RESTPath
  /// How identifiers are handed over.
  package let identifiers: Identifiers
  /// The path that they are handed to; the resource's own where there is none.
  package var recordsPath: String?
  /// How many records can be asked for at once.
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
