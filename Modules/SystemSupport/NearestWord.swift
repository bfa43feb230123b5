/// The known word that a mistyped one probably means.
package enum NearestWord {
  /// Returns the known word closest to the typed one; `nil` if every word needs more changes than a
  /// third of the typed letters, or than one for a short word.
  ///
  /// Upper and lower case do not count as a difference.
  package static func to(_ word: String, among known: [String]) -> String? {
    let limit = max(1, word.count / 3)
    let nearest = known.map { ($0, distance(word.lowercased(), $0.lowercased())) }
      .min { $0.1 < $1.1 }
    return nearest.flatMap { $0.1 <= limit ? $0.0 : nil }
  }

  /// Returns the number of letters to insert, remove, replace or swap with a neighbour.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var before: [Int] = []
    var above = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
        let isEqual = left[row] == right[column]
        var least = min(
          above[column] + (isEqual ? 0 : 1), above[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, before[column - 1] + 1)
        }
        current.append(least)
      }
      (before, above) = (above, current)
    }
    return above[right.count]
  }
}
