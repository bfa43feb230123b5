import Models

/// The part of QuickBooks' query language that a sync needs: `select * from Invoice where
/// MetaData.LastUpdatedTime >= '…' orderby MetaData.LastUpdatedTime startposition 1 maxresults
/// 100`.
struct QuickBooksQuery {
  /// The reason why a query is refused.
  struct Refused: Error {
    var code: Int
    var message: String
  }

  private(set) var isCount = false
  private(set) var kind = ""
  private(set) var since: Timestamp?
  private(set) var position = 1
  private(set) var limit = 100

  init(_ text: String) throws(Refused) {
    var words = text.split(separator: " ").map(String.init)[...]
    func take(_ expected: String...) throws(Refused) -> String {
      guard let word = words.popFirst(),
        expected.isEmpty || expected.contains(word.lowercased())
      else { throw Refused(code: 4_000, message: "Error parsing query") }
      return word
    }
    _ = try take("select")
    isCount = try take("*", "count(*)").lowercased() == "count(*)"
    _ = try take("from")
    kind = try take("invoice", "creditmemo", "bill", "vendorcredit", "preferences")
    while !words.isEmpty {
      switch try take("where", "orderby", "startposition", "maxresults").lowercased() {
      case "where":
        _ = try take("metadata.lastupdatedtime")
        _ = try take(">=")
        let quoted = try take()
        since = QuickBooksTime.instant(quoted.filter { $0 != "'" })
        guard since != nil else { throw Refused(code: 4_001, message: "Invalid query") }
      case "orderby": _ = try take("metadata.lastupdatedtime")
      case "startposition": position = try Self.number(try take(), 1...Int(Int32.max))
      default: limit = try Self.number(try take(), 1...1_000)
      }
    }
  }

  private static func number(_ text: String, _ range: ClosedRange<Int>) throws(Refused) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Refused(code: 4_001, message: "Invalid query")
    }
    return number
  }
}
