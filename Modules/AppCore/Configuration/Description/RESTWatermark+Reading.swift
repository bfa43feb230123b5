import HTTPTypes
import Providers
import Sync

extension RESTWatermark {
  private enum Key: String, CaseIterable {
    case model, parameter, header, form, order, overlap, deletions
  }

  /// Reads how to ask a list for changes since an instant.
  init(_ node: ConfigurationNode) throws {
    var carriers: [Carrier] = []
    var form: RESTDateForm?
    var order: [String: String] = [:]
    var overlap: Duration?
    var deletions: RESTDeletions?
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .model: break
      case .parameter: carriers.append(.parameter(try value.text()))
      case .header: carriers.append(.header(try Self.header(value)))
      case .form: form = try value.choice(RESTDateForm.self)
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
