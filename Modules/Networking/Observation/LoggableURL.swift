/// A URL as logs, traces and spans may show it.
///
/// Any value in a query can be a token, a name or a search for a person, so only the values of
/// parameters that are known to page and sort are shown.
enum LoggableURL {
  static func text(of request: Request) -> String {
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var text = "\(request.origin)\(parts[0])"
    guard parts.count == 2 else { return text }
    let fields = parts[1].split(separator: "&").map { field in
      let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let isHarmless = pair.count < 2 || harmless.contains(pair[0].lowercased())
      return isHarmless ? String(field) : "\(pair[0])=…"
    }
    text += "?" + fields.joined(separator: "&")
    return text
  }

  private static let harmless: Set<String> = [
    "page", "pagesize", "page_size", "per_page", "limit", "offset", "order", "sort", "unitdp",
  ]
}
