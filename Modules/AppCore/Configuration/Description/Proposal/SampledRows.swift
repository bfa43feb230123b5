import JSONReading
import Models

/// A member of sampled objects, with its values in all of them.
struct SampledMember {
  /// The path in an object, as a description writes it, such as `customer.name`.
  let path: String
  /// The keys in lower case without separators and without what only groups members.
  let name: String
  /// The value in each object; `nil` if it is absent or blank.
  let cells: [JSONValue?]
  /// The values that are neither absent nor blank.
  let values: [JSONValue]
  /// True if the name says that amounts are in the smallest unit of the currency.
  let isMinor: Bool

  /// The keys that only group members, such as `attributes.number`.
  private static let groups: Set = [
    "attributes", "amounts", "totals", "summary", "data", "fields", "properties", "invoice",
    "document", "dates", "header", "meta", "pagination", "paging", "pageinfo", "links",
  ]
  private static let minorEndings = ["incents", "cents", "inminor", "minorunits", "minor"]
  /// The keys of the value in an object that stands for it, such as `total.amount`.
  private static let valueKeys: Set = ["amount", "value", "code", "href"]

  /// The characters that would end a line of YAML or a comment, or that no terminal should get.
  private static let unsafe: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned,
  ]

  private init(path: String, keys: [String], _ cells: [JSONValue?]) {
    var parts = keys.map(Self.plain)
    while parts.count > 1, Self.groups.contains(parts[0]) { parts.removeFirst() }
    let isParty = ProposedNames.parties.contains(parts[0])
    if parts.count > 1, !isParty, Self.valueKeys.contains(parts[parts.count - 1]) {
      parts.removeLast()
    }
    var name = parts.joined()
    let ending = Self.minorEndings.first { name.hasSuffix($0) && name.count > $0.count }
    if let ending { name.removeLast(ending.count) }
    (self.path, self.name, isMinor) = (path, name, ending != nil)
    self.cells = cells.map { $0?.isBlank == false ? $0 : nil }
    values = self.cells.compactMap(\.self)
  }

  /// Returns a key in lower case without separators.
  static func plain(_ key: String) -> String {
    key.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Returns the members of some objects and of the objects in them.
  ///
  /// - Parameters:
  ///   - objects: the objects; `nil` for a row that lacks its object.
  ///   - path: the path of the objects, which precedes that of each member.
  static func all(
    of objects: [JSONObject?], at path: String = "", _ keys: [String] = []
  ) -> [SampledMember] {
    var names: [String] = []
    var seen: Set<String> = []
    for name in objects.flatMap({ $0?.names ?? [] }) where seen.insert(name).inserted {
      names.append(name)
    }
    return names.flatMap { name -> [SampledMember] in
      guard let path = Self.path(path, name) else { return [] }
      let cells = objects.map { $0?[name] }
      let inner = cells.map { $0?.members }
      let first = inner.lazy.compactMap(\.self).first
      let isDate = first.map { $0["year"] != nil && $0["month"] != nil } ?? false
      guard first != nil, !isDate, keys.count < 3 else {
        return [SampledMember(path: path, keys: keys + [name], cells)]
      }
      return all(of: inner, at: path, keys + [name])
    }
  }

  /// Returns the path of a member; `nil` for a key that no path can have.
  static func path(_ path: String, _ key: String) -> String? {
    let isOData = key.hasPrefix("@odata.") && !key.dropFirst(7).contains(".")
    guard !key.isEmpty, !key.contains("\"]"),
      !key.unicodeScalars.contains(where: { unsafe.contains($0.properties.generalCategory) })
    else { return nil }
    guard key.contains(where: { ".[]^".contains($0) }), !isOData else {
      return path.isEmpty ? key : path + "." + key
    }
    return path + "[\"" + key + "\"]"
  }
}

extension JSONValue {
  /// The members of an object; `nil` for another value.
  var members: JSONObject? { if case .object(let members) = self { members } else { nil } }

  /// The objects of a list that holds nothing else; `nil` for another value.
  var objects: [JSONObject]? {
    guard case .list(let elements) = self else { return nil }
    let objects = elements.compactMap(\.members)
    return objects.isEmpty || objects.count < elements.count ? nil : objects
  }
}

/// The rows of a page: the list of objects with the most members that a record has.
struct SampledRows {
  /// The path of the list in the page.
  let path: String
  let count: Int
  let resource: Resource
  /// The type of invoices that do not state one.
  let type: InvoiceType
  /// The members of the rows.
  let members: [SampledMember]
  /// The number of fields that the members suggest.
  let score: Int

  /// The rows from which members are read; more tell nothing new.
  private static let limit = 200

  private init(path: String, _ rows: [JSONObject], _ records: NamedRecords) {
    var (sample, start) = (Array(rows.prefix(Self.limit)), "")
    // Some servers wrap each row in an object of its own.
    if let key = sample.first?.names.first, let prefix = SampledMember.path("", key),
      sample.allSatisfy({ $0.names == [key] && $0[key]?.members != nil })
    {
      (sample, start) = (sample.compactMap { $0[key]?.members }, prefix)
    }
    let members = SampledMember.all(of: sample, at: start)
    func score(_ resource: Resource) -> Int {
      Self.names(of: resource).values.count { names in
        members.contains { names.contains($0.name) }
      }
    }
    var resource = records.resource
    // A list of payments of invoices can hold the invoices themselves.
    let isInvoice = members.contains {
      ProposedNames.invoice["dueDate"]?.contains($0.name) ?? false
    }
    if resource == .payments, isInvoice { resource = .invoices }
    let likely = resource ?? (score(.contacts) > score(.invoices) ? .contacts : .invoices)
    (self.path, count, self.members) = (path, rows.count, members)
    (self.resource, type, self.score) = (likely, records.type ?? .invoice, score(likely))
  }

  /// The usual names of members for each field of the rows.
  var names: [String: [String]] { Self.names(of: resource) }

  private static func names(of resource: Resource) -> [String: [String]] {
    switch resource {
    case .contacts: ProposedNames.contact
    case .payments: ProposedNames.payment
    default: ProposedNames.invoice
    }
  }

  /// Finds the rows of a page; `nil` if the page has no list of objects.
  ///
  /// - Parameter address: the last part of the page's address, which can name the kind of records.
  static func find(in page: JSONValue, address: String) -> SampledRows? {
    let records = NamedRecords(address: address)
    return lists(in: page, at: "", depth: 0)
      .map { SampledRows(path: $0.path.isEmpty ? "." : $0.path, $0.rows, records) }
      .max { ($0.score, $0.count) < ($1.score, $1.count) }
  }

  /// Returns the lists of objects in a value, without those in the rows of another one.
  private static func lists(
    in value: JSONValue, at path: String, depth: Int
  ) -> [(path: String, rows: [JSONObject])] {
    if let rows = value.objects { return [(path, rows)] }
    guard depth < 4, let members = value.members else { return [] }
    // A list can also be an object whose values are the rows.
    let inner = members.values.compactMap(\.members)
    if inner.count > 1, inner.count == members.values.count,
      inner.allSatisfy({ $0.names == inner[0].names })
    {
      return [(path, inner)]
    }
    return members.names.flatMap { name in
      guard let member = members[name], let path = SampledMember.path(path, name) else {
        return [(path: String, rows: [JSONObject])]()
      }
      return lists(in: member, at: path, depth: depth + 1)
    }
  }
}

/// The kind of records that the last part of an address names.
private struct NamedRecords {
  private(set) var resource: Resource?
  /// The type of the invoices.
  private(set) var type: InvoiceType?

  init(address: String) {
    let plural = SampledMember.plain(String(address.prefix { $0 != "." }))
    let word = plural.hasSuffix("s") ? String(plural.dropLast()) : plural
    let contacts = ["contact", "customer", "client", "supplier", "vendor"]
    let type = ProposedNames.types.keys.filter(word.hasSuffix).max { $0.count < $1.count }
    // The last word is the kind: customer-invoices are invoices.
    if word.hasSuffix("payment") {
      resource = .payments
    } else if contacts.contains(where: word.hasSuffix) {
      resource = .contacts
    } else if let type {
      (resource, self.type) = (.invoices, ProposedNames.types[type])
    } else if contacts.contains(where: word.hasPrefix) {
      resource = .contacts
    } else if word.contains("invoice") || word.contains("bill") {
      resource = .invoices
    }
  }
}
