import Foundation
import SyncSupport

/// Real words, drawn as often as in running text: the word of rank `n` about `1/n` times as often
/// as the first (Zipf's law).
struct Vocabulary: Sendable {
  private let words: [String]
  /// The sum of the weights up to each word.
  private let sums: [Double]

  /// The words of a dictionary file, one a line.
  ///
  /// - Parameter count: the number of words, chosen and ordered by the seed.
  /// - Throws: `WrongAnswer` if the file has fewer.
  init(dictionary: String, count: Int, seed: UInt64) throws {
    let text = try String(contentsOfFile: dictionary, encoding: .utf8)
    var candidates = text.split(separator: "\n").filter { word in
      word.count > 1 && word.allSatisfy { $0.isLetter && $0.isLowercase }
    }
    guard candidates.count >= count else { throw WrongAnswer() }
    var random = SeededRandom(seed: seed)
    for index in 0..<count {
      candidates.swapAt(index, index + random.below(candidates.count - index))
    }
    let chosen = candidates.prefix(count).map { String($0) }
    // Frequent words are short.
    let short = chosen.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    words = Array(short.prefix(count / 40)) + chosen
    var sum = 0.0
    sums = words.indices.map { rank in
      sum += 1 / Double(rank + 1)
      return sum
    }
  }

  /// Returns words with single spaces between them, of at least so many letters.
  func text(atLeast letters: Int, _ random: inout SeededRandom) -> String {
    var text = ""
    text.reserveCapacity(letters + 16)
    while text.utf8.count < letters {
      if !text.isEmpty { text.append(" ") }
      text.append(word(&random))
    }
    return text
  }

  func word(_ random: inout SeededRandom) -> String {
    let point = Double(random.next() >> 11) / Double(1 << 53) * (sums.last ?? 0)
    var range = 0..<sums.count
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = sums[middle - 1] <= point ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return words[range.lowerBound]
  }
}
