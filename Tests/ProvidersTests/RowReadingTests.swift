import JSONReading
import Models
import Sync
import Testing

@testable import Providers

@Suite(.timeLimit(.minutes(10))) struct RowReadingTests {
  /// A value of so many levels.
  private static func nest(_ levels: Int) -> String {
    String(repeating: #"[{"a":"#, count: levels / 2) + "1"
      + String(repeating: "}]", count: levels / 2)
  }

  @Test("a nest in place of a value names its row, and costs no other row")
  func deepRow() throws {
    let nest = Self.nest(100_000)
    var reader = JSONReader(
      Array(
        """
        [{"t":"a","u":\(nest),"id":"1"},{"t":\(nest),"id":"2"},{"t":"c","id":"3"},
        {"t":"d","t":"d","id":4},{"t":"e","id":"5"}]
        """.utf8))
    var failures: [RowFailure] = []
    var read: [String] = []
    try reader.readRows(identifier: "id", into: &failures) { reader in
      try reader.readObject { reader, key in
        switch key {
        case "t": read.append(try reader.readString())
        default: try reader.skipValue()
        }
      }
    }
    try reader.readEnd()
    #expect(read == ["a", "c", "d", "e"])
    #expect(failures.map(\.id) == ["2", "4"] && failures.map(\.path) == ["t", "t"])
  }

  @Test("an object that was left in its middle leaves nothing behind for the next one")
  func leftObjects() throws {
    var reader = JSONReader(Array(#"[{"id":"1","a":{"b":"x"}},{"id":"2","a":{"b":3}}]"#.utf8))
    var failures: [RowFailure] = []
    var read: [ExactDecimal] = []
    try reader.readRows(identifier: "id", into: &failures) { reader in
      try reader.readObject { reader, key in
        guard key == "a" else { return try reader.skipValue() }
        try reader.readObject { reader, _ in read.append(try reader.readDecimal()) }
      }
    }
    try reader.readEnd()
    #expect(failures.map(\.id) == ["1"])
    #expect(failures.map(\.path) == ["a.b"])
    #expect(read == [ExactDecimal(3)])
  }

  @Test("half a character costs its own row alone")
  func halfCharacters() throws {
    var reader = JSONReader(
      Array(#"[{"id":"a","t":"\ud83d"},{"id":"b","t":"\ud83dx"},{"id":"c","t":"x"}]"#.utf8))
    var failures: [RowFailure] = []
    var read: [String] = []
    try reader.readRows(identifier: "id", into: &failures) { reader in
      try reader.readObject { reader, key in
        let text = try reader.readString()
        if key == "t" { read.append(text) }
      }
    }
    try reader.readEnd()
    #expect(failures.map(\.id) == ["a", "b"] && read == ["x"])
  }
}
