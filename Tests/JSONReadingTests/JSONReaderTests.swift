import Models
import Testing

@testable import JSONReading

@Suite(.timeLimit(.minutes(10))) struct JSONReaderTests {
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
      "[1,]", #"{"a"}"#, #"{"a":}"#, "{,}", "[", #"{"a":1"#, "[nul", "[Na", "[-Inf", "\"a", "[1 2]",
      "[NaN NaN]", #"{"a":1,}"#, "", "[]]", "1 2", "{NaN:1}", "[1x]", "['a']", "[€]",
    ])
  func brokenText(text: String) {
    var reader = JSONReader(Array(text.utf8))
    #expect(throws: JSONError.self) {
      try reader.skipValue()
      try reader.readEnd()
    }
  }

  // Edge case 51
  @Test(
    "a word that JSON lacks is skipped, and refused as a value",
    arguments: ["NaN", "Infinity", "-Infinity", "+1", ".5", "nan", "nul", "tru", "fals", "None"])
  func words(word: String) throws {
    let text = #"[\#(word),{"a":\#(word) },"b"]"#
    var reader = JSONReader(Array(text.utf8))
    try reader.skipValue()
    try reader.readEnd()

    reader = JSONReader(Array(text.utf8))
    guard case .list(let elements) = try reader.readValue() else {
      Issue.record("no list")
      return
    }
    try reader.readEnd()
    guard case .unreadable? = elements.first else {
      Issue.record("\(elements)")
      return
    }
    #expect(elements.last == .text("b"))

    let reads: [(inout JSONReader) throws -> Void] = [
      { _ = try $0.readString() }, { _ = try $0.readDecimalText() },
      { _ = try $0.readBool() }, { try $0.readArray { try $0.skipValue() } },
      { try $0.readObject { reader, _ in try reader.skipValue() } },
    ]
    for read in reads {
      var reader = JSONReader(Array((word + ",").utf8))
      #expect { try read(&reader) } throws: { ($0 as? JSONError)?.isMalformed == false }
    }
  }

  /// A value of so many levels.
  private static func nest(_ levels: Int) -> String {
    String(repeating: #"[{"a":"#, count: levels / 2) + "1"
      + String(repeating: "}]", count: levels / 2)
  }

  // Edge case 51
  @Test(
    "a nest of any depth is skipped to its end",
    arguments: [62, 64, 66, 126, 128, 130, 192, 100_000, 1_000_000])
  func depth(levels: Int) throws {
    for text in [
      Self.nest(levels), "[[],\(Self.nest(levels)),{}]",
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels),
      String(repeating: #"{"a":1,"b":"#, count: levels) + "{}"
        + String(repeating: #","c":[]}"#, count: levels),
    ] {
      var reader = JSONReader(Array((text + ",").utf8))
      try reader.skipValue()
      #expect(reader.position == text.utf8.count)
    }
  }

  // Edge case 51
  @Test(
    "brackets that do not match are refused at any depth", arguments: [1, 63, 64, 65, 200, 100_000])
  func mismatches(levels: Int) {
    let (lists, ends) = (
      String(repeating: "[", count: levels), String(repeating: "]", count: levels)
    )
    let objects = String(repeating: #"{"a":"#, count: levels)
    for text in [
      lists, objects, lists + ends.dropLast(), "[" + lists + "}" + ends,
      "{\"a\":" + lists + "]" + ends,
      lists + objects + "1" + ends + String(repeating: "}", count: levels), lists + "1,]" + ends,
      objects + "1,}" + String(repeating: "}", count: levels),
    ] {
      var reader = JSONReader(Array(text.utf8))
      #expect(throws: JSONError.self) { try reader.skipValue() }
    }
  }

  // Edge case 51
  // Edge case 51
  @Test("the reader bounds the depth that it follows, in sound JSON as well")
  func bounded() throws {
    func follow(_ reader: inout JSONReader) throws { try reader.readArray { try follow(&$0) } }
    let text = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    var reader = JSONReader(Array(text.utf8))
    #expect { try follow(&reader) } throws: { ($0 as? JSONError)?.isMalformed == false }
    reader = JSONReader(Array(text.utf8))
    var value = try reader.readValue()
    try reader.readEnd()
    var levels = 0
    while case .list(let elements) = value, let first = elements.first {
      (value, levels) = (first, levels + 1)
    }
    #expect(value == .unreadable("nested too deeply") && levels == JSONReader.maximumDepth)
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

  @Test(
    "a key that comes twice is found however it is written, and however many there are",
    arguments: [
      #"{"a":1,"\u0061":2}"#, #"{"\u0061":1,"a":2}"#, #"{"é":1,"\u00e9":2}"#,
      "{" + (0...200).map { #""k\#($0 % 200)":\#($0)"# }.joined(separator: ",") + "}",
    ])
  func disguisedKeys(text: String) {
    var reader = JSONReader(Array(text.utf8))
    #expect(throws: JSONError.self) {
      try reader.readObject { reader, _ in try reader.skipValue() }
    }
  }

  @Test("a key that other objects have, around and after, is not a duplicate")
  func keysOfOthers() throws {
    var reader = JSONReader(Array(#"{"a":{"a":{"b":1},"b":{"a":1}},"b":{"a":1}}"#.utf8))
    func read(_ reader: inout JSONReader) throws {
      if reader.isAtObject {
        try reader.readObject { reader, _ in try read(&reader) }
      } else {
        try reader.skipValue()
      }
    }
    try read(&reader)
    try reader.readEnd()
  }
}
