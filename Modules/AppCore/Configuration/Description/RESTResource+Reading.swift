import Foundation
import Models
import Providers
import Sync

extension RESTResource {
  private enum Key: String, CaseIterable {
    case path, query, rows, paging, changes, count, deleted, detail, money, dates, timeZone
    case fields
  }
  private enum DateKey: String, CaseIterable { case day, instant, none }

  /// Reads a resource of a described provider.
  init(_ kind: Resource, _ node: ConfigurationNode) throws {
    var path: String?
    var read: [(inout RESTResource) -> Void] = []
    try node.readKeys(Key.self) { key, value in
      switch key {
      case .path: path = try value.text()
      case .query:
        let query = try value.pairs()
        read.append { $0.query = query }
      case .rows:
        let rows = try value.fieldPath()
        read.append { $0.rows = rows }
      case .paging:
        let paging = try RESTPaging(value)
        read.append { $0.paging = paging }
      case .changes:
        // Its rows have the same path as the resource's rows, unless it sets another.
        let rows = try node.child("rows")?.fieldPath() ?? .root
        let changes = try RESTChanges(value, rows: rows)
        read.append { $0.changes = changes }
      case .count:
        let count = try value.fieldPath()
        read.append { $0.count = count }
      case .deleted:
        let deleted = try Deleted(value)
        read.append { $0.deleted = deleted }
      case .detail:
        let detail = try RESTDetail(value)
        read.append { $0.detail = detail }
      case .money:
        let money = try value.choice(RESTMoneyForm.self)
        read.append { $0.forms.money = money }
      case .dates:
        var forms = RESTForms()
        try value.readKeys(DateKey.self) { key, value in
          switch key {
          case .day: forms.day = try value.choice(RESTDateForm.self)
          case .instant: forms.instant = try value.choice(RESTDateForm.self)
          case .none: forms.noDates = try value.texts()
          }
        }
        let (day, instant, none) = (forms.day, forms.instant, forms.noDates)
        read.append {
          $0.forms.day = day
          $0.forms.instant = instant
          $0.forms.noDates = none
        }
      case .timeZone:
        let zone = try RESTTimeZone(value)
        read.append { $0.forms.timeZone = zone }
      case .fields:
        let fields = try RESTFields(value, of: kind)
        read.append { $0.fields = fields }
      }
    }
    guard let path else {
      throw node.error("path is missing; set it to what follows baseURL, such as /\(kind)")
    }
    self.init(kind, path: path)
    for step in read { step(&self) }
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
  /// Reads the name of a time zone in the IANA database.
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
      case .total: paging.total = try value.fieldPath()
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
  /// Reads the path of a value in JSON.
  func fieldPath() throws -> RESTPath {
    guard let path = RESTPath(try textOrNothing()) else {
      throw error("expected a path such as amounts.total or lines[0].id")
    }
    return path
  }
}
