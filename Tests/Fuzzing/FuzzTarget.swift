import Foundation
import HTTPTypes
import Networking
import Storage
import Sync

/// Something that reads what a stranger sends.
struct FuzzTarget: Sendable {
  /// What became of an input.
  struct Outcome: Equatable {
    /// What kind of outcome it is; an input with a new one is worth mutating further.
    let kind: String
    /// What was read, as a hash: the same input has to give the same.
    var content = 0
  }

  /// The name, which is also that of its folder in the corpus.
  let name: String
  /// Words that its inputs are made of.
  let words: [String]
  /// Reads an input.
  ///
  /// - Throws: what is no typed error of its own, and therefore a fault.
  let read: @Sendable ([UInt8]) throws -> Outcome

  /// A page of a provider's list.
  static func page<Feed: ResourceFeed>(
    _ name: String, _ feed: Feed, place text: String, words: [String]
  ) throws -> FuzzTarget where Feed.Record: Hashable {
    let place = try JSONDecoder().decode(Feed.Place.self, from: Data(text.utf8))
    let url = try feed.request(at: place).url
    return FuzzTarget(name: name, words: words + json) { input in
      do {
        let page = try feed.page(
          Response(head: HTTPResponse(status: .ok), body: input, url: url), at: place)
        var hasher = Hasher()
        hasher.combine(page.records)
        for failure in page.failures { hasher.combine("\(failure)") }
        hasher.combine(page.removals)
        hasher.combine(page.versions)
        hasher.combine("\(String(describing: page.next)) \(page.resume)")
        let failures = Set(page.failures.map { "\(withoutDigits($0.path)) \($0.reason)" })
        return Outcome(
          kind: "\(min(page.records.count, 3)) \(page.next == nil) \(failures.sorted())",
          content: hasher.finalize())
      } catch let error as SyncError {
        return Outcome(kind: withoutDigits("\(error)"))
      } catch is PlaceExpired {
        return Outcome(kind: "expired")
      }
    }
  }

  private static let json = [
    "null", "true", "false", "{}", "[]", "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000",
    "\\uD800", "\\uDC00", "0", "-0", "-1", "1e400", "1E-400", "0.1", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "1.", ".5", "NaN", "\u{FEFF}", "é", "\u{1F9FE}",
    #""/Date(1587912334083+0000)/""#, #""/Date(-9999999999999999)/""#, #""2020-02-30""#,
  ]

  private static func withoutDigits(_ text: String) -> String {
    String(text.filter { !$0.isNumber })
  }
}
