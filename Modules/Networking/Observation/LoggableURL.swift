/// A URL in the form that logs, traces and spans may show.
///
/// Any value in a query can be a token, a name or a search of the user, so only the values of known
/// paging and sorting parameters are shown.
enum LoggableURL {
  static func text(of request: Request) -> String {
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.prefix { $0 != ";" } }.joined(separator: "/")
    let text = "\(request.origin)\(path)"
    guard parts.count == 2 else { return text }
    return text + "?" + parts[1].split(separator: "&").map(shown).joined(separator: "&")
  }

  private static func shown(_ field: Substring) -> String {
    let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = pair[0]
    guard harmless.contains(name.lowercased()) else {
      // A field without a value, or with an empty one, can be a token itself.
      return pair.count == 2 && !pair[1].isEmpty && isName(name) ? "\(name)=…" : "…"
    }
    guard pair.count == 2 else { return String(name) }
    return isPlain(pair[1]) ? String(field) : "\(name)=…"
  }

  private static func isName(_ text: Substring) -> Bool {
    text.count <= 32 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_" || $0 == "-") }
  }

  private static func isPlain(_ text: Substring) -> Bool {
    text.count <= 40
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.,-+".contains($0)) }
  }

  private static let harmless: Set<String> = [
    "page", "pagesize", "page_size", "per_page", "limit", "offset", "order", "sort", "unitdp",
  ]
}
