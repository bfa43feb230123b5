import Foundation
import Models
import Providers
import Sync

extension RESTResource {
  private enum Key: String, CaseIterable {
    case path, query, rows, elements, paging, changes, count, deleted, detail, document, money
    case dates, timeZone, fields
  }
  private enum DateKey: String, CaseIterable { case day, instant, none }

  init(_ kind: Resource, _ node: ConfigurationNode) throws {
    self.init(kind, path: try node.child("path")?.text() ?? "")
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .path: break
      case .query: query = try value.queryItems()
      case .rows: rows = try value.fieldPath()
      case .elements: elements = try value.fieldPath()
      case .paging: paging = try RESTPaging(value)
      case .changes:
        // Its rows have the same path as the resource's rows, unless it sets another.
        changes = try RESTChanges(value, rows: try node.child("rows")?.fieldPath() ?? .root)
      case .count: count = try value.numberPath()
      case .deleted: deleted = try Deleted(value)
      case .detail: detail = try RESTDetail(value)
      case .document: document = try RESTDocument(value)
      case .money: forms.money = try value.choice(RESTMoneyForm.self)
      case .dates:
        try value.readKeys(DateKey.self) { key, value in
          switch key {
          case .day: forms.day = try value.choice(RESTDateForm.self)
          case .instant: forms.instant = try value.choice(RESTDateForm.self)
          case .none: forms.noDates = try value.texts()
          }
        }
      case .timeZone: forms.timeZone = try RESTTimeZone(value)
      case .fields: fields = try RESTFields(value, of: kind)
      }
    }
    guard !path.isEmpty else {
      throw node.error("path is missing; set it to what follows baseURL, such as /\(kind)")
    }
  }
}

extension RESTResource.Deleted {
  private enum Key: String, CaseIterable { case path, values }

  fileprivate init(_ node: ConfigurationNode) throws {
    var path: RESTPath?
    var words: [String] = []
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .path: path = try value.fieldPath()
      case .values: words = try value.texts()
      }
    }
    guard let path else {
      throw node.error("path is missing; set it to that of the mark of deleted rows")
    }
    self.init(path: path, words: Set(words))
  }
}

extension RESTTimeZone {
  private enum Key: String, CaseIterable { case path }

  /// Reads an IANA name, or `{ path: … }` of the name in each row.
  fileprivate init(_ node: ConfigurationNode) throws {
    guard !node.isText else {
      self = .named(try node.timeZone())
      return
    }
    var path: RESTPath?
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .path: path = try value.fieldPath()
      }
    }
    guard let path else { throw node.error("path is missing; set it to that of the time zone") }
    self = .at(path)
  }
}

extension ConfigurationNode {
  func timeZone() throws -> TimeZone {
    guard let zone = TimeZone(identifier: try text()) else {
      throw error("expected the IANA name of a time zone, such as Europe/Berlin")
    }
    return zone
  }
}

extension RESTPaging {
  private enum Key: String, CaseIterable {
    case style, parameter, first, field, sizeParameter, size, total, more, stable
  }

  fileprivate init(_ node: ConfigurationNode) throws {
    var style: Style?
    var paging = RESTPaging(.none)
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .style: style = try value.choice(Style.self)
      case .parameter: paging.parameter = try value.text()
      case .first: paging.first = try value.integer(in: 0...1)
      case .field: paging.field = try value.fieldPath()
      case .sizeParameter: paging.sizeParameter = try value.text()
      case .size: paging.size = try value.integer(in: 1...100_000)
      case .total: paging.total = try value.numberPath()
      case .more: paging.more = try value.fieldPath()
      case .stable: paging.stable = try value.boolean()
      }
    }
    guard let style else {
      throw node.error(
        "style is missing; available: " + Style.allCases.map(\.rawValue).joined(separator: ", "))
    }
    paging.style = style
    self = paging
  }
}

extension ConfigurationNode {
  /// Reads query items, each with a text or with a list of texts.
  fileprivate func queryItems() throws -> RESTQuery {
    var items: RESTQuery = [:]
    try readEntries { items[$0] = $1.elements == nil ? [try $1.text()] : try $1.texts() }
    return items
  }

  private enum HeaderKey: String, CaseIterable { case header }

  /// Reads the place of a number: a path in the page, or `{ header: … }`.
  fileprivate func numberPath() throws -> RESTPath {
    guard child(HeaderKey.header.rawValue) != nil else { return try fieldPath() }
    var path: RESTPath?
    try readKeys(HeaderKey.self) { _, value in
      path = RESTPath(header: try value.text())
      if path == nil { throw value.error("expected the name of a header field") }
    }
    return path ?? .root
  }

  func fieldPath() throws -> RESTPath {
    guard let path = RESTPath(try textOrNothing()) else {
      throw error("expected a path such as amounts.total or lines[0].id")
    }
    return path
  }
}

extension RESTDetail {
  private enum Key: String, CaseIterable { case path, query, row }

  fileprivate init(_ node: ConfigurationNode) throws {
    self.init(path: try node.child("path")?.text() ?? "")
    let names = Key.allCases.map(\.rawValue) + RESTDetail.listedFields
    try node.readKeys(named: names) { name, value in
      switch Key(rawValue: name) {
      case .path: break
      case .query: query = try value.queryItems()
      case .row: row = try value.fieldPath()
      // A field of the list's rows.
      case nil: listed[name] = try value.fieldPath()
      }
    }
    guard !path.isEmpty else {
      throw node.error("path is missing; set it to that of one record, such as /invoices/{id}")
    }
  }
}

extension RESTDocument {
  private enum Key: String, CaseIterable { case path, query, accept }

  fileprivate init(_ node: ConfigurationNode) throws {
    self.init(path: try node.child("path")?.text() ?? "")
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .path: break
      case .query: query = try value.queryItems()
      case .accept: accept = try value.text()
      }
    }
    guard !path.isEmpty else {
      throw node.error("path is missing; set it to that of the file, such as /invoices/{id}/pdf")
    }
  }
}
