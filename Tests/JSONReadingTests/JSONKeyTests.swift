import Testing

@testable import JSONReading

@Suite(.timeLimit(.minutes(10))) struct JSONKeyTests {
  /// A key within a page: whatever follows it must not count.
  private func copied(_ text: String, before rest: String = "\":1,\"xyz") -> JSONKey {
    JSONKey(ascii: (text + rest).utf8.span, 0..<text.utf8.count)
  }

  @Test("a key equals itself alone, whatever its length", arguments: 0...40)
  func lengths(length: Int) {
    let text = String("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN".prefix(length))
    let key = copied(text)
    #expect("\(key)" == text && key == text)
    #expect("\(copied(text, before: ""))" == text)
    #expect(!(key == text + "x") && !(key == String(text.dropLast()) && length > 0))
    if length > 0 { #expect(!(key == String(text.dropLast()) + "?")) }
  }

  @Test("a key matches the word that it is, and no other of the same length or beginning")
  func words() {
    for (text, expected) in [
      ("Total", 1), ("TotalTax", 2), ("Totam", 0), ("Xotal", 0), ("", 3), ("Tota", 0),
      ("AmountCredited", 4), ("AmountCreditee", 0), ("é", 5), ("averyveryverylongnameindeed", 6),
      ("averyveryverylongnameindeeD", 0),
    ] {
      for key in [JSONKey(text)] + (text == "é" ? [] : [copied(text)]) {
        let found =
          switch key {
          case "Total": 1
          case "TotalTax": 2
          case "": 3
          case "AmountCredited": 4
          case "é": 5
          case "averyveryverylongnameindeed": 6
          default: 0
          }
        #expect(found == expected, "\(text)")
      }
    }
  }

  @Test("a key has one hash however it was written, and different keys have different ones")
  func hashes() {
    var hashes: Set<UInt64> = []
    for length in 1...40 {
      for letter in "abcdefgh" {
        for place in [0, length / 2, length - 1] {
          var text = Array(repeating: Character("x"), count: length)
          text[place] = letter
          let key = String(text)
          #expect(copied(key).hash == JSONKey(key).hash)
          #expect(copied(key, before: "").hash == JSONKey(key).hash)
          hashes.insert(JSONKey(key).hash)
        }
      }
    }
    // The places fall together in texts of one and two letters.
    #expect(hashes.count == 8 + 8 * 2 + 8 * 3 * 38)
  }
}
