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

  private let members: [SampledMember]
  private let items: [URLQueryItem]

  /// - Parameters:
  ///   - members: the members of the page around the rows.
  ///   - items: the query items of the page's address.
  ///   - fields: the header fields of the response.
  ///   - id: the path of a row's identifier; `nil` if none was found.
  init(
    _ members: [SampledMember], _ items: [URLQueryItem], _ fields: HTTPFields, id: String?
  ) {
    (self.members, self.items) = (members, items)
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
      let isZero = page.values.first?.word == "0" && page.path != total?.path
      let next = total == nil && more == nil ? first(["nextpage"]) : more
      set(
        .page,
        [
          "parameter": parameter, "first": isZero ? "0" : nil, "total": total?.path,
          "more": next?.path,
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
  }

  private mutating func set(
    _ style: RESTPaging.Style, _ keys: KeyValuePairs<String, String?>, _ comment: String
  ) {
    var parts = ["style: \(style.rawValue)"]
    for (key, value) in keys {
      guard let value else { continue }
      parts.append("\(key): " + (key == "first" ? value : ConfigurationDraft.quoted(value)))
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

  private var total: SampledMember? {
    first(["totalpages", "pagecount", "pages", "lastpage", "numpages", "pagestotal"])
  }

  private var more: SampledMember? {
    members.first { member in
      guard case .bool? = member.values.first else { return false }
      return ["hasmore", "hasnext", "hasnextpage", "more", "morerecords"].contains(member.name)
    }
  }

  /// Returns the first member of one of these names whose value is a whole number.
  private func first(_ names: [String]) -> SampledMember? {
    names.lazy.compactMap { name in
      members.first { $0.name == name && $0.values.first?.number != nil }
    }.first
  }

  private func item(_ names: [String]) -> String? {
    items.first { names.contains($0.name) }?.name
  }
}

extension JSONValue {
  /// The value as a whole number; `nil` if it is none.
  var number: Int? { word.flatMap { Int($0) } }
}
