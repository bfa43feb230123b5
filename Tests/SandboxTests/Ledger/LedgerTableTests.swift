import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct LedgerTableTests {
  private func table(_ text: String) throws -> LedgerTable {
    try LedgerTable(Array(text.utf8))
  }

  @Test("a quoted field may hold commas, quotes and line breaks")
  func quoting() throws {
    let rows = try table("a,b\r\n\"x,\"\"y\"\"\",\"two\nlines\"\r\nlast,z").rows
    #expect(rows.count == 2)
    #expect(rows[0]["a"] == "x,\"y\"")
    #expect(rows[0]["b"] == "two\nlines")
    #expect(rows[1]["b"] == "z")
    #expect(rows[1].line == 4)
  }

  @Test("an empty field is absent, a quoted empty one is empty text")
  func emptyFields() throws {
    let rows = try table("a,b,c\n,\"\",\n").rows
    #expect(rows.count == 1)
    #expect(rows[0]["a"] == nil)
    #expect(rows[0]["b"] == "")
    #expect(rows[0]["c"] == nil)
  }

  @Test("a byte order mark is no part of the first column's name")
  func byteOrderMark() throws {
    #expect(try table("\u{FEFF}a,b\n1,2\n").rows.first?["a"] == "1")
  }

  @Test(
    "a malformed table is refused with the line of the fault",
    arguments: [
      ("", 1), ("a,a\n", 1), ("a,\n", 1), ("a,b\n1\n", 2), ("a\n1\nx\"y\n", 3),
      ("a\n\"x\"y\n", 2), ("a\n\"x\n", 3),
    ])
  func malformed(text: String, line: Int) {
    let error = #expect(throws: LedgerTable.Malformed.self) { try table(text) }
    #expect(error?.line == line)
  }

  @Test("bytes that are not UTF-8 are refused")
  func encoding() {
    #expect(throws: LedgerTable.Malformed.self) { try LedgerTable([0x61, 0x0A, 0xFF, 0x0A]) }
  }
}
