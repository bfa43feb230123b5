import Sync

extension RESTFields {
  /// Reads the fields of a resource.
  init(_ node: ConfigurationNode, of resource: String) throws {
    self.init()
    guard let schema = RESTSchema.of(resource) else { return }
    try read(node, schema.fields.map(\.name), within: "", schema.lists)
  }

  /// What has a `.` in its name stands in a mapping of its own: a party, and its address in that.
  private mutating func read(
    _ node: ConfigurationNode, _ names: [String], within prefix: String,
    _ schemas: [(name: String, fields: [RESTSchema.Definition])]
  ) throws {
    let groups = Dictionary(grouping: names.filter { $0.contains(".") }) { name in
      String(name.prefix { $0 != "." })
    }
    let single = names.filter { !$0.contains(".") }
    var (found, foundLists) = (RESTFields(), [String: RESTList]())
    try node.readKeys(
      known: single + groups.keys.sorted() + schemas.map(\.name)
    ) { key, value in
      if let list = schemas.first(where: { $0.name == key }) {
        foundLists[key] = try RESTList(value, list.fields)
      } else if let group = groups[key] {
        let names = group.map { String($0.dropFirst(key.count + 1)) }
        try found.read(value, names, within: "\(prefix)\(key).", [])
      } else {
        found.fields[prefix + key] = try RESTField(value)
      }
    }
    fields.merge(found.fields) { $1 }
    lists.merge(foundLists) { $1 }
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
