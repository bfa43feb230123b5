import Testing

@testable import JSONReading

/// Objects of many members, as only an attacker's server sends them.
///
/// Work that grows with the square of their number would take longer than the time limit.
@Suite(.timeLimit(.minutes(1))) struct LargeObjectTests {
  private static let count = 60_000

  private func members(_ numbers: Range<Int>, _ value: Int) -> String {
    numbers.map { "\"key\($0)\":\(value)" }.joined(separator: ",")
  }

  // Edge case 63
  @Test("an object in which every key is given twice is read in linear time")
  func duplicates() throws {
    let text = "{\(members(0..<Self.count, 1)),\(members(0..<Self.count, 2)),\"new\":3}"
    var reader = JSONReader(Array(text.utf8))
    guard case .object(let object) = try reader.readValue() else {
      Issue.record("it is no object")
      return
    }
    #expect(object.values.count == Self.count + 1)
    #expect(object["key7"] == .unreadable("the key is given twice"))
    #expect(object["new"]?.word == "3")
  }

  // Edge case 63
  @Test("a cancelled task stops reading and skipping", arguments: [false, true])
  func cancelled(skips: Bool) async {
    let bytes = Array("{\(members(0..<Self.count, 1))}".utf8)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var reader = JSONReader(bytes)
      if skips { try reader.skipValue() } else { _ = try reader.readValue() }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
