/// A search for the word that a user may have meant.
struct NearestWord {
  private let word: [Character]

  init(to word: String) {
    self.word = Array(word.lowercased())
  }

  /// Returns the nearest candidate, the first of several; `nil` if none is near.
  ///
  /// A third of the letters may be wrong, missing, too many or swapped.
  func first(of candidates: [String]) -> String? {
    let found = candidates.map { ($0, distance(to: Array($0.lowercased()))) }
      .min { $0.1 < $1.1 }
    guard let found, found.1 <= (word.count + 2) / 3 else { return nil }
    return found.0
  }

  /// Returns the number of letters to insert, delete, replace or swap with their neighbour.
  private func distance(to other: [Character]) -> Int {
    var (beforeLast, last) = ([Int](), Array(0...other.count))
    for (row, letter) in word.enumerated() {
      var current = [row + 1]
      for (column, candidate) in other.enumerated() {
        var least = min(
          last[column] + (letter == candidate ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == other[column - 1], word[row - 1] == candidate {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[other.count]
  }
}
