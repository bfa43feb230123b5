import JSONReading
package import Models
import Sync
import SystemSupport

/// The query items of a request; one with several values is repeated.
package typealias RESTQuery = [String: [String]]

/// One list of a described provider, such as its invoices.
package struct RESTResource: Sendable, Equatable {
  /// A field whose value marks a row as deleted.
  package struct Deleted: Sendable, Equatable {
    package let path: RESTPath
    /// The values that mean that the record is deleted; empty if any value means it, such as the
    /// time of the deletion.
    package let words: Set<String>

    package init(path: RESTPath, words: Set<String>) {
      self.path = path
      self.words = words
    }
  }

  package let kind: Resource
  package let path: String
  /// The query items of every request; an item with several values is repeated.
  package var query: RESTQuery = [:]
  package var rows = RESTPath.root
  /// Path in a row of a list whose elements are the records; `nil` if the rows are the records.
  package var elements: RESTPath?
  package var paging = RESTPaging(.none)
  package var changes = RESTChanges.sweep
  package var count: RESTPath?
  package var deleted: Deleted?
  package var detail: RESTDetail?
  package var document: RESTDocument?
  package var fields = RESTFields()
  package var forms = RESTForms()

  package init(_ kind: Resource, path: String) {
    self.kind = kind
    self.path = path
  }

  /// True if a sync reads the records that changed only; false if it reads all of them each time.
  var isIncremental: Bool { changes != .sweep || detail != nil }

  /// True if a day is read from an instant, so that a time zone decides it.
  ///
  /// Inlined into the initializer of `RESTFeed`, it ends the optimizer of Swift 6.3.1 with an
  /// assertion ("Found ownership error").
  @inline(never) package var readsInstantsAsDays: Bool {
    let schema = RESTSchema.of(kind)
    func reads(
      _ described: [String: RESTField], _ definitions: [RESTSchema.Definition]
    ) -> Bool {
      definitions.contains { definition in
        guard case .day = definition.kind, let field = described[definition.name],
          !field.paths.isEmpty
        else { return false }
        return (field.dateForm ?? forms.day).statesInstant
      }
    }
    return reads(fields.fields, schema.fields)
      || schema.lists.contains { list in
        fields.lists[list.name].map { reads($0.fields, list.fields) } ?? false
      }
  }

  /// Returns the records that a row holds: itself, or the elements of its list.
  func records(in row: JSONValue) -> [JSONValue] {
    guard let elements else { return [row] }
    // A row without the list, or with one that is none, has no records.
    return elements.value(in: row)?.elements?.map { $0.element(of: row) } ?? []
  }

  /// Returns the field of a record's identifier in another list than that of the records, such as
  /// the list of deleted ones.
  func identifier(at path: RESTPath) -> RESTField {
    var field = RESTField(.path(path))
    field.prefix = fields.fields["id"]?.prefix
    return field
  }

  /// Returns the server's own identifier for that of a stored record.
  func ownIdentifier(of id: String) -> String {
    guard let prefix = fields.fields["id"]?.prefix, id.hasPrefix(prefix) else { return id }
    return String(id.dropFirst(prefix.count))
  }

  func isDeleted(_ row: JSONValue) -> Bool {
    guard let deleted, let value = deleted.path.value(in: row), !value.isBlank else { return false }
    guard deleted.words.isEmpty else {
      return value.word.map { deleted.words.contains($0) } ?? false
    }
    let isNone = ["false", "0"].contains(value.word) || RESTDateForm.instant.isNoDate(value)
    return !isNone
  }

  var namesTenant: Bool {
    let paths: [String?] = [
      path, changes.versions?.path, changes.versions?.recordsPath,
      changes.watermark?.deletions?.path, detail?.path, document?.path,
    ]
    let queries = [query, detail?.query ?? [:], document?.query ?? [:]]
    let items = queries.flatMap(\.values).joined()
    return (paths.compactMap(\.self) + Array(items)).contains {
      $0.contains(RESTDescription.tenant)
    }
  }

  func validate() throws(RESTDescriptionError) {
    try Self.check(path: path, "path")
    guard !rows.readsParent else {
      throw RESTDescriptionError("rows", problem: "expected keys separated by dots")
    }
    try validateElements()
    do { try paging.validate() } catch { throw error.inside("paging") }
    try validateFields()
    guard forms.timeZone == nil || readsInstantsAsDays else {
      throw RESTDescriptionError(
        "timeZone",
        problem:
          "remove timeZone: no day is read from an instant, for which alone it is")
    }
    try validateChanges()
    do { try detail?.validate(self) } catch { throw error.inside("detail") }
    do { try document?.validate(self) } catch { throw error.inside("document") }
    for parameter in query.keys where reserved.contains(parameter) {
      throw RESTDescriptionError(
        "query", parameter, problem: "paging or changes sets it already; remove it here")
    }
  }

  private var reserved: Set<String> {
    var names = Set([paging.parameter, paging.sizeParameter].compactMap(\.self))
    if let watermark = changes.watermark {
      // A template can repeat what the item says without an instant.
      if let parameter = watermark.parameter, watermark.template == nil { names.insert(parameter) }
      names.formUnion(watermark.order.keys)
      if let deletions = watermark.deletions { names.insert(deletions.parameter) }
    }
    return names
  }

  private func validateElements() throws(RESTDescriptionError) {
    guard let elements else {
      for (name, field) in fields.fields where field.paths.contains(where: \.readsParent) {
        throw RESTDescriptionError(
          "fields", name, problem: "only elements of a list have a row around them; remove the ^")
      }
      return
    }
    guard !elements.readsParent, elements != .root else {
      throw RESTDescriptionError("elements", problem: "expected the path of a list in a row")
    }
    let ofRows = [
      ("detail", detail != nil), ("the model 'versions'", changes.versions != nil),
      ("count", count != nil),
    ]
    if let (name, _) = ofRows.first(where: \.1) {
      throw RESTDescriptionError(
        "elements", problem: "\(name) speaks of rows; remove it, or elements")
    }
  }

  private func validateFields() throws(RESTDescriptionError) {
    let schema = RESTSchema.of(kind)
    try Self.check(fields.fields, against: schema.fields, "fields")
    try validateSums(schema)
    for list in schema.lists {
      guard let described = fields.lists[list.name] else { continue }
      do { try Self.check(described.fields, against: list.fields, "fields") } catch {
        throw error.inside(list.name).inside("fields")
      }
    }
    if let order = fields.fields["version"], order.path == nil {
      throw RESTDescriptionError(
        "fields", "version", problem: "a constant is not a version; remove it")
    }
  }

  private func validateSums(_ schema: RESTSchema) throws(RESTDescriptionError) {
    for (name, field) in fields.fields.sorted(by: { $0.key < $1.key }) {
      guard case .sum(let list, let part) = field.source else { continue }
      let definition = schema.lists.first { $0.name == list }?.fields.first { $0.name == part }
      if case .money? = definition?.kind, fields.lists[list]?.fields[part] != nil { continue }
      throw RESTDescriptionError(
        "fields", name, "sum",
        problem: "expected an amount of a list described here, such as lines.lineAmount")
    }
    for (name, list) in fields.lists {
      for (part, field) in list.fields {
        guard case .sum = field.source else { continue }
        throw RESTDescriptionError(
          "fields", name, "fields", part, problem: "a list inside a list cannot be summed")
      }
    }
  }

  private static func check(
    _ fields: [String: RESTField], against definitions: [RESTSchema.Definition], _ key: String
  ) throws(RESTDescriptionError) {
    for definition in definitions {
      guard let field = fields[definition.name] else {
        guard definition.isRequired else { continue }
        throw RESTDescriptionError(
          key, problem: "\(definition.name) is missing; set a path, or { value: … } for a constant")
      }
      let names = definition.name.split(separator: ".").map(String.init)
      do { try field.validate(as: definition.kind) } catch {
        var error = error
        error.keys = [key] + names + error.keys
        throw error
      }
    }
  }

  private func validateChanges() throws(RESTDescriptionError) {
    switch changes {
    case .sweep: break
    case .watermark(let watermark):
      let updatedAt = fields.fields["updatedAt"]
      guard updatedAt?.path != nil || updatedAt == nil && !watermark.isOrdered else {
        throw RESTDescriptionError(
          "changes",
          problem: updatedAt == nil
            ? "order needs fields.updatedAt, the path of the time of change by which it sorts"
            : "fields.updatedAt is constant; give its path in the row, or remove it")
      }
      if let template = watermark.template {
        guard watermark.parameter != nil, template.contains(RESTWatermark.since) else {
          throw RESTDescriptionError(
            "changes", "template",
            problem: "expected the text of the query item 'parameter' with {since} in it")
        }
      }
      guard watermark.parameter == nil || watermark.parameter != paging.parameter else {
        throw RESTDescriptionError(
          "changes", "parameter", problem: "paging.parameter has the same name")
      }
      do { try watermark.deletions?.validate(self) } catch {
        throw error.inside("deletions").inside("changes")
      }
    case .versions(let versions):
      try Self.check(path: versions.path, "changes", "path")
      if let path = versions.recordsPath { try Self.check(path: path, "changes", "recordsPath") }
      guard !versions.rows.readsParent else {
        throw RESTDescriptionError(
          "changes", "rows", problem: "expected keys separated by dots")
      }
      guard fields.fields["version"] != nil || fields.fields["updatedAt"]?.path != nil else {
        throw RESTDescriptionError(
          "changes",
          problem: "the model 'versions' needs fields.version or fields.updatedAt to compare")
      }
    }
  }

  static func check(path: String, _ keys: String...) throws(RESTDescriptionError) {
    let problem: String? =
      if !path.hasPrefix("/") || path.hasPrefix("//") {
        "expected a path such as /invoices, which is appended to baseURL"
      } else if path.contains("?") || path.contains("#") {
        "write query items under query"
      } else if path.split(separator: "/").contains("..") {
        "the path must stay below baseURL"
      } else {
        nil
      }
    guard let problem else { return }
    var error = RESTDescriptionError(problem: problem)
    error.keys = keys
    throw error
  }

  /// A text that is the same in every process, and another one if the description changes.
  ///
  /// A named time zone is no part of it: ``FeedTraits/timeZone`` has it, and what a `TimeZone`
  /// reflects differs from process to process. The way to files is none either: no record changes
  /// with it.
  var fingerprint: String {
    SHA256.hash(Array(fingerprinted.utf8)).prefix(16).hexadecimal
  }

  var fingerprinted: String {
    var described = self
    if case .named? = described.forms.timeZone { described.forms.timeZone = nil }
    described.document = nil
    let text = Self.text(of: described)
    // Earlier versions stored a computed amount due as if the provider stated it.
    return kind.kind == .invoices && fields.fields["amountDue"] == nil ? text + "2" : text
  }

  private static func text(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard !mirror.children.isEmpty else { return "\(value)" }
    var parts = mirror.children.map { ($0.label ?? "") + "=" + text(of: $0.value) }
    if mirror.displayStyle == .dictionary || mirror.displayStyle == .set { parts.sort() }
    return "(" + parts.joined(separator: ",") + ")"
  }
}
