import Foundation
import HTTPTypes
import JSONReading
import Providers

/// The paging of a list that a page, its address and its header fields suggest.
struct ProposedPaging {
  /// The value of `paging` in a description; `nil` for a single page.
  private(set) var text: String?
  /// The reason for the guess.
  private(set) var comment = "guessed: nothing on the page leads to another one"
  /// The query items of the address that paging sets.
  private(set) var parameters: Set<String> = []
  /// The number of all records: at least as many as the page has.
  private(set) var count: StatedNumber?
  /// The lines of a comment about rows that the page lacks; empty if it lacks none.
  private(set) var warning: [String] = []

  private let members: [SampledMember]
  private let numbers: [StatedNumber]
  private let items: [URLQueryItem]

  /// - Parameters:
  ///   - members: the members of the page around the rows.
  ///   - items: the query items of the page's address.
  ///   - fields: the header fields of the response.
  ///   - id: the path of a row's identifier; `nil` if none was found.
  ///   - rows: the number of rows on the page.
  init(
    _ members: [SampledMember], _ items: [URLQueryItem], _ fields: HTTPFields, id: String?,
    rows: Int
  ) {
    (self.members, self.items) = (members, items)
    numbers = members.compactMap(StatedNumber.init) + fields.compactMap(StatedNumber.init)
    let link = HTTPField.Name("Link").flatMap { fields[$0] } ?? ""
    if let next = address {
      set(.next, ["field": next.path], next.comment("the address of the next page"))
    } else if let token {
      let parameter = parameter(of: token)
      set(
        .token, ["parameter": parameter, "field": token.path, "more": more?.path],
        token.comment("a cursor; the name of the query item '\(parameter)' is a guess"))
    } else if link.contains(#/rel="?(next|prev|first|last)\b/#) {
      set(.link, [:], "guessed from the header field Link")
    } else if let page = first(["page", "currentpage", "pagenumber", "nextpage"]) ?? total {
      let parameter = item(["page", "p", "page_number", "pageNumber", "pageno"]) ?? "page"
      let isZero = page.value == 0 && page.text != total?.text
      let next = members.first { $0.name == "nextpage" && $0.values.first?.number != nil }
      set(
        .page,
        [
          "parameter": parameter, "first": isZero ? "0" : nil, "total": total?.text,
          "more": more?.path ?? (total == nil ? next?.path : nil),
        ], page.comment("numbered pages; the query item '\(parameter)' is a guess"))
    } else if let offset = first(["offset", "skip", "startindex"]) {
      let parameter = item(["offset", "skip", "start"]) ?? "offset"
      set(
        .offset, ["parameter": parameter, "more": more?.path],
        offset.comment("skipped rows; the query item '\(parameter)' is a guess"))
    } else if let more, let id {
      set(
        .cursor, ["parameter": "starting_after", "field": id, "more": more.path],
        more.comment("true or false; the query item 'starting_after' is a guess"))
    }
    count = stated(atLeast: rows)
    if text == nil { complete(rows) }
  }

  /// Reads on if the page lacks rows, although nothing says how to request them.
  private mutating func complete(_ rows: Int) {
    let isLonger = count.map { $0.value > rows } ?? false
    guard isLonger || more.map({ $0.values.first == .bool(true) }) ?? false else {
      if count != nil {
        comment = "guessed: the page has as many rows as the list; longer lists may have pages"
      }
      return
    }
    let offset = item(["offset", "skip", "start"])
    let name = offset ?? item(["page", "p", "page_number", "pageNumber", "pageno"]) ?? "page"
    set(offset == nil ? .page : .offset, ["parameter": name], "guessed: see the warning above")
    let rows = count.map { "has \(rows) of \($0.value) rows" } ?? "says that there are more rows"
    warning = [
      "WARNING: the page \(rows), and does not show how to request the others.",
      "Find the query item in the API's documentation: '\(name)' is a guess.",
    ]
  }

  private mutating func set(
    _ style: RESTPaging.Style, _ keys: KeyValuePairs<String, String?>, _ comment: String
  ) {
    var parts = ["style: \(style.rawValue)"]
    for (key, value) in keys {
      guard let value else { continue }
      let isWritten = key == "first" || key == "total"
      parts.append("\(key): " + (isWritten ? value : ConfigurationDraft.quoted(value)))
      if key == "parameter" { parameters.insert(value) }
    }
    let sizes = ["per_page", "perPage", "page_size", "pageSize", "limit", "size", "pagesize"]
    if let name = item(sizes), let size = items.first(where: { $0.name == name })?.value,
      let size = Int(size), (1...100_000).contains(size)
    {
      parts += ["sizeParameter: \(ConfigurationDraft.quoted(name))", "size: \(size)"]
      parameters.insert(name)
    }
    text = "{ " + parts.joined(separator: ", ") + " }"
    self.comment = comment
  }

  /// The member with the address of the next page; it is null on the last page.
  private var address: SampledMember? {
    let names = ["nextlink", "nexturl", "nextpageurl", "odatanextlink", "next", "nextpage"]
    return names.lazy.compactMap { name in
      members.first { member in
        guard member.name == name else { return false }
        guard case .text(let text)? = member.values.first else {
          // Of a null, only the names tell that it is an address.
          let isNamed = name == "next" ? hasPrevious : name != "nextpage"
          return member.values.isEmpty && isNamed
        }
        return ["https://", "http://", "/", "?"].contains(where: text.hasPrefix)
      }
    }.first
  }

  private var hasPrevious: Bool { members.contains { ["previous", "prev"].contains($0.name) } }

  private var token: SampledMember? {
    let names = [
      "nextcursor", "nextpagetoken", "nexttoken", "cursornext", "endcursor", "continuationtoken",
      "cursor", "nextpagecursor", "cursorsafter",
    ]
    return names.lazy.compactMap { name in
      members.first { $0.name == name && $0.values.allSatisfy { $0.word != nil } }
    }.first
  }

  /// Returns the query item that carries a token, in the spelling of the member.
  private func parameter(of token: SampledMember) -> String {
    let key = token.path.split(separator: ".").last.map(String.init) ?? token.path
    return switch token.name {
    case "nextpagetoken": key.contains("_") ? "page_token" : "pageToken"
    case "nexttoken", "continuationtoken": key
    case "endcursor", "cursorsafter": "after"
    default: "cursor"
    }
  }

  private var total: StatedNumber? {
    first(["totalpages", "pagecount", "pages", "lastpage", "numpages", "pagestotal"])
  }

  private var more: SampledMember? {
    members.first { member in
      guard case .bool? = member.values.first else { return false }
      return ["hasmore", "hasnext", "hasnextpage", "more", "morerecords"].contains(member.name)
    }
  }

  /// Returns the number of all records.
  private func stated(atLeast rows: Int) -> StatedNumber? {
    let names = [
      "totalcount", "totalrecords", "totalresults", "totalitems", "totalrows", "totalentries",
      "total", "odatacount", "count",
    ]
    return names.lazy.compactMap { name in
      numbers.first { number in
        guard number.name == name else { return false }
        // A count of the page's own rows is none of the list, unless there is one page.
        return name == "count" && text != nil ? number.value > rows : number.value >= rows
      }
    }.first
  }

  /// Returns the first number of one of these names.
  private func first(_ names: [String]) -> StatedNumber? {
    names.lazy.compactMap { name in numbers.first { $0.name == name } }.first
  }

  private func item(_ names: [String]) -> String? {
    items.first { names.contains($0.name) }?.name
  }
}

extension JSONValue {
  /// The value as a whole number; `nil` if it is none.
  var number: Int? { word.flatMap { Int($0) } }
}

/// A whole number about the list, in a member of the page or in a header field.
struct StatedNumber {
  /// The key in lower case without separators.
  let name: String
  let value: Int
  /// The place, as a description writes it.
  let text: String
  private let reason: String

  /// Creates the number of a member; `nil` if its value is none.
  init?(_ member: SampledMember) {
    guard let value = member.values.first?.number else { return nil }
    (name, self.value) = (member.name, value)
    (text, reason) = (ConfigurationDraft.quoted(member.path), member.comment(""))
  }

  /// Creates the number of a header field, such as `X-Total-Count`; `nil` if its value is none.
  init?(_ field: HTTPField) {
    guard let value = Int(field.value) else { return nil }
    let key = field.name.rawName
    var plain = SampledMember.plain(
      key.lowercased().hasPrefix("x-") ? String(key.dropFirst()) : key)
    if plain.hasPrefix("pagination") { plain.removeFirst("pagination".count) }
    (name, self.value) = (plain, value)
    text = "{ header: \(ConfigurationDraft.quoted(key)) }"
    reason = "guessed from the header field \(key.prefix(60)): "
  }

  /// Returns the comment of a line that is guessed from this number.
  func comment(_ kind: String) -> String { reason + kind }
}
