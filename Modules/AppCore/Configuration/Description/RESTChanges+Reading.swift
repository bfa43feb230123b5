import HTTPTypes
import Providers
import Sync

extension RESTChanges {
  private enum Model: String, CaseIterable { case sweep, watermark, versions }

  init(_ node: ConfigurationNode, rows: RESTPath) throws {
    guard let model = node.child("model") else {
      throw node.error(
        "model is missing; available: " + Model.allCases.map(\.rawValue).joined(separator: ", "))
    }
    switch try model.choice(Model.self) {
    case .sweep:
      try node.readKeys(named: ["model"]) { _, _ in }
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

extension RESTWatermark {
  private enum Key: String, CaseIterable {
    case model, parameter, header, form, template, order, overlap, deletions
  }

  init(_ node: ConfigurationNode) throws {
    var carriers: [Carrier] = []
    var form: RESTDateForm?
    var template: String?
    var order: [String: String] = [:]
    var overlap: Duration?
    var deletions: RESTDeletions?
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .model: break
      case .parameter: carriers.append(.parameter(try value.text()))
      case .header: carriers.append(.header(try Self.header(value)))
      case .form: form = try value.choice(RESTDateForm.self)
      case .template: template = try value.text()
      case .order: order = try value.pairs()
      case .overlap: overlap = try value.duration()
      case .deletions: deletions = try RESTDeletions(value)
      }
    }
    guard let carrier = carriers.first, carriers.count == 1 else {
      throw node.error(
        "the model 'watermark' needs either parameter (a query item) or header (a field such as "
          + "If-Modified-Since) for the instant since when to list changes")
    }
    switch carrier {
    case .parameter(let name): self.init(parameter: name)
    case .header(let name): self.init(header: name)
    }
    self.form = form ?? self.form
    self.template = template
    self.order = order
    self.overlap = overlap ?? self.overlap
    self.deletions = deletions
  }

  private static func header(_ node: ConfigurationNode) throws -> HTTPField.Name {
    let name = try node.fieldName()
    if let reason = ConfigurationNode.refusal(of: name) { throw node.error(reason) }
    return name
  }
}

extension RESTDeletions {
  private enum Key: String, CaseIterable { case parameter, path, form, rows, id, deletedAt }

  fileprivate init(_ node: ConfigurationNode) throws {
    self.init(parameter: try node.child("parameter")?.text() ?? "")
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .parameter: break
      case .path: path = try value.text()
      case .form: form = try value.choice(RESTDateForm.self)
      case .rows: rows = try value.fieldPath()
      case .id: id = try value.fieldPath()
      case .deletedAt: deletedAt = try value.fieldPath()
      }
    }
    guard !parameter.isEmpty else {
      throw node.error(
        "parameter is missing; set it to the query item that lists deletions since an instant")
    }
  }
}
