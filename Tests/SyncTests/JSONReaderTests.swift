import Foundation
import Testing

@testable import Sync

@Suite struct JSONReaderTests {
  @Test(
    "sound JSON is skipped to its end",
    arguments: [
      "{}", "[]", #"[1,2,[3,{"a":[]}],"x\u00e9\"",null,true,false,-1.5e3]"#, " { \"a\" : { } } ",
      "1",
    ])
  func skipping(text: String) throws {
    var reader = JSONReader(Array(text.utf8))
    try reader.skipValue()
    try reader.readEnd()
  }

  @Test(
    "broken JSON is refused",
    arguments: [
      "[1,]", #"{"a"}"#, #"{"a":}"#, "{,}", "[", #"{"a":1"#, "nul", "\"a", "[1 2]", #"{"a":1,}"#,
      "",
      "[]]", "1 2",
    ])
  func brokenText(text: String) {
    var reader = JSONReader(Array(text.utf8))
    #expect(throws: JSONError.self) {
      try reader.skipValue()
      try reader.readEnd()
    }
  }

  // Edge case 51
  @Test("a nest of 100 000 levels is refused, not followed")
  func depth() {
    for bracket in ["[", "{\"a\":"] {
      var reader = JSONReader(Array(String(repeating: bracket, count: 100_000).utf8))
      #expect(throws: JSONError.self) { try reader.skipValue() }
    }
  }

  @Test("texts are read with their escapes, and half characters refused")
  func texts() throws {
    var reader = JSONReader(Array(#""a\n\u00e9\ud83d\ude00\/""#.utf8))
    #expect(try reader.readString() == "a\né😀/")
    for text in [#""\ud83d""#, #""\udc00""#, #""\x""#, "\"\u{1}\"", #""\u12""#] {
      var reader = JSONReader(Array(text.utf8))
      #expect(throws: JSONError.self) { _ = try reader.readString() }
    }
    var invalid = JSONReader([0x22, 0xFF, 0x22])
    #expect(throws: JSONError.self) { _ = try invalid.readString() }
  }

  @Test("a key that comes twice is an error that names it")
  func duplicateKeys() {
    var reader = JSONReader(Array(#"{"a":1,"a":2}"#.utf8))
    #expect {
      try reader.readObject { reader, _ in try reader.skipValue() }
    } throws: { error in
      (error as? JSONError)?.pathDescription == "a"
    }
  }
}
