import Sync

extension RESTFields {
  /// Reads the fields of a resource.
  init(_ node: ConfigurationNode, of resource: String) throws {
    self.init()
    guard let schema = RESTSchema.of(resource) else { return }
    // The other party's fields stand in a mapping of their own.
    let groups = Dictionary(grouping: schema.fields.filter { $0.name.contains(".") }) {
      String($0.name.prefix { $0 != "." })
    }
    let single = schema.fields.map(\.name).filter { !$0.contains(".") }
    var found: [String: RESTField] = [:]
    var lists: [String: RESTList] = [:]
    try node.readKeys(
      known: single + groups.keys.sorted() + schema.lists.map(\.name)
    ) { key, value in
      if let list = schema.lists.first(where: { $0.name == key }) {
        lists[key] = try RESTList(value, list.fields)
      } else if let group = groups[key] {
        let known = group.map { String($0.name.dropFirst(key.count + 1)) }
        try value.readKeys(known: known) { found[key + "." + $0] = try RESTField($1) }
      } else {
        found[key] = try RESTField(value)
      }
    }
    fields = found
    self.lists = lists
  }
}

extension RESTList {
  fileprivate init(_ node: ConfigurationNode, _ definitions: [RESTSchema.Definition]) throws {
    var path: RESTPath?
    var fields: [String: RESTField] = [:]
    try node.readKeys(known: ["path", "fields"]) { key, value in
      if key == "path" {
        path = try value.fieldPath()
      } else {
        try value.readKeys(known: definitions.map(\.name)) { fields[$0] = try RESTField($1) }
      }
    }
    guard let path, !fields.isEmpty else {
      throw node.error("path and fields are needed: where the list is, and what its elements have")
    }
    self.init(path: path, fields: fields)
  }
}

extension RESTField {
  /// Reads a field: the path alone, or a mapping.
  fileprivate init(_ node: ConfigurationNode) throws {
    guard !node.isText else {
      self.init(.path(try node.fieldPath()))
      return
    }
    var sources: [Source] = []
    var words: [String: String] = [:]
    var fallback: String?
    var form: ConfigurationNode?
    try node.readKeys(known: ["path", "value", "map", "default", "form"]) { key, value in
      switch key {
      case "path": sources.append(.path(try value.fieldPath()))
      case "value": sources.append(.constant(try value.text()))
      case "map": words = try value.pairs()
      case "default": fallback = try value.text()
      default: form = value
      }
    }
    guard let source = sources.first, sources.count == 1 else {
      throw node.error("one of path, where in the row it is, and value, a constant, is needed")
    }
    self.init(source)
    self.words = words
    self.fallback = fallback
    guard let form else { return }
    let name = try form.text()
    dateForm = RESTDateForm(rawValue: name)
    moneyForm = RESTMoneyForm(rawValue: name)
    guard dateForm != nil || moneyForm != nil else {
      throw form.error(
        "there is no such form; of dates there are "
          + RESTDateForm.allCases.map(\.rawValue).joined(separator: ", ") + "; of amounts "
          + RESTMoneyForm.allCases.map(\.rawValue).joined(separator: ", "))
    }
  }
}
