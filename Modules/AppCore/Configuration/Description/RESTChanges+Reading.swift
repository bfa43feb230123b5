import Providers
import Sync

extension RESTChanges {
  private enum Model: String, CaseIterable { case sweep, watermark, versions }
  private enum SweepKey: String, CaseIterable { case model }

  /// Reads the way in which a list reports changes.
  init(_ node: ConfigurationNode, rows: RESTPath) throws {
    guard let model = node.child("model") else {
      throw node.error(
        "model is missing; available: " + Model.allCases.map(\.rawValue).joined(separator: ", "))
    }
    switch try model.choice(Model.self) {
    case .sweep:
      try node.readKeys(SweepKey.self) { key, _ in
        switch key {
        case .model: break
        }
      }
      self = .sweep
    case .watermark: self = .watermark(try RESTWatermark(node))
    case .versions: self = .versions(try RESTVersions(node, rows: rows))
    }
  }
}

extension RESTVersions {
  private enum Key: String, CaseIterable {
    case model, path, rows, id, version, idsParameter, idsField, recordsPath, batch
  }

  fileprivate init(_ node: ConfigurationNode, rows: RESTPath) throws {
    var path: String?
    var rows = rows
    var id = RESTPath("id") ?? .root
    var version = RESTPath("version") ?? .root
    var identifiers: [Identifiers] = []
    var recordsPath: String?
    var batch = 100
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .model: break
      case .path: path = try value.text()
      case .rows: rows = try value.fieldPath()
      case .id: id = try value.fieldPath()
      case .version: version = try value.fieldPath()
      case .idsParameter: identifiers.append(.parameter(try value.text()))
      case .idsField: identifiers.append(.body(try value.text()))
      case .recordsPath: recordsPath = try value.text()
      case .batch: batch = try value.integer(in: 1...10_000)
      }
    }
    guard let path else {
      throw node.error("the model 'versions' needs path, that of the list of versions")
    }
    guard let way = identifiers.first, identifiers.count == 1 else {
      throw node.error(
        "the model 'versions' needs idsParameter (a query item) or idsField (a key of a JSON body) "
          + "to fetch records by identifier")
    }
    self.init(path: path, rows: rows, id: id, version: version, identifiers: way)
    self.recordsPath = recordsPath
    self.batch = batch
  }
}
