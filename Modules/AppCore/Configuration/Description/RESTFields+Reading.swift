import Models
import Providers
import Sync

extension RESTFields {
  init(_ node: ConfigurationNode, of resource: Resource) throws {
    self.init()
    let schema = RESTSchema.of(resource)
    try read(node, schema.fields.map(\.name), within: "", schema.lists)
  }

  /// Reads the named fields of a mapping.
  ///
  /// A name with a `.` means a field of a nested mapping: of a party, or of the address within it.
  private mutating func read(
    _ node: ConfigurationNode, _ names: [String], within prefix: String,
    _ schemas: [RESTSchema.List]
  ) throws {
    let groups = Dictionary(grouping: names.filter { $0.contains(".") }) { name in
      String(name.prefix { $0 != "." })
    }
    let single = names.filter { !$0.contains(".") }
    var (found, foundLists) = (RESTFields(), [String: RESTList]())
    try node.readKeys(
      named: single + groups.keys.sorted() + schemas.map(\.name)
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
  private enum Key: String, CaseIterable { case path, fields }

  fileprivate init(_ node: ConfigurationNode, _ definitions: [RESTSchema.Definition]) throws {
    var path: RESTPath?
    var fields: [String: RESTField] = [:]
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .path: path = try value.fieldPath()
      case .fields:
        try value.readKeys(named: definitions.map(\.name)) { fields[$0] = try RESTField($1) }
      }
    }
    guard let path, !fields.isEmpty else {
      throw node.error(
        "path and fields are required: the path of the list, and its elements' fields")
    }
    self.init(path: path, fields: fields)
  }
}

extension RESTField {
  private enum Key: String, CaseIterable {
    case path, value, sum, map
    case fallback = "default"
    case form, text, prefix
  }

  /// Reads a field: the path alone, or a mapping.
  fileprivate init(_ node: ConfigurationNode) throws {
    guard !node.isText, node.elements == nil else {
      let hasMaps = node.elements?.contains { !$0.isText } ?? false
      self.init(
        hasMaps
          ? .choice(try (node.elements ?? []).map { try RESTField($0) })
          : .paths(try node.fieldPaths()))
      return
    }
    var sources: [Source] = []
    var words: [String: String] = [:]
    var fallback: String?
    var form: ConfigurationNode?
    var textForm: TextForm?
    var prefix: String?
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .path: sources.append(.paths(try value.fieldPaths()))
      case .value: sources.append(.constant(try value.text()))
      case .sum: sources.append(try value.fieldSum())
      case .prefix: prefix = try value.text()
      case .text: textForm = try value.choice(TextForm.self)
      // An empty word is refused by what the field expects.
      case .map: try value.readEntries { words[$0] = try $1.textOrNothing() }
      case .fallback: fallback = try value.text()
      case .form: form = value
      }
    }
    guard let source = sources.first, sources.count == 1 else {
      throw node.error(
        "expected one of path (in the row), value (a constant) or sum (of a list's amounts)"
      )
    }
    self.init(source)
    self.words = words
    self.fallback = fallback
    self.textForm = textForm
    self.prefix = prefix
    guard let form else { return }
    let name = try form.text()
    dateForm = RESTDateForm(rawValue: name)
    moneyForm = RESTMoneyForm(rawValue: name)
    rateForm = RESTRateForm(rawValue: name)
    guard dateForm != nil || moneyForm != nil || rateForm != nil else {
      throw form.error(
        "unknown form; available for dates: " + RESTDateForm.words.joined(separator: ", ")
          + "; for amounts: " + RESTMoneyForm.words.joined(separator: ", ") + "; for rates: "
          + RESTRateForm.words.joined(separator: ", "))
    }
  }
}

extension ConfigurationNode {
  /// Reads one path of a JSON value, or a list of paths, of which the first with a value counts.
  fileprivate func fieldPaths() throws -> [RESTPath] {
    guard let elements else { return [try fieldPath()] }
    guard !elements.isEmpty else { throw error("expected at least one path") }
    return try elements.map { try $0.fieldPath() }
  }

  /// Reads the name of a list and of the field to add up over its elements.
  fileprivate func fieldSum() throws -> RESTField.Source {
    let names = try text().split(separator: ".", omittingEmptySubsequences: false)
    guard names.count == 2 else {
      throw error("expected a list of this record and an amount in it, such as lines.lineAmount")
    }
    return .sum(list: String(names[0]), field: String(names[1]))
  }
}
