import Foundation
import PlainTextAccounting
import Storage
import Testing

func write(_ database: LocalDatabase, to file: FileHandle) async throws {
  var journal = Journal(.hledger)
  journal.accounts.codes["200"] = AccountTemplate("income:sales")
  try await journal.write(InvoiceQuery(), of: database) { try file.write(contentsOf: $0) }
}

/// A front end writes a journal.
@Suite(.timeLimit(.minutes(10))) struct JournalTests {
  @Test("the code of the guide is compiled here, word for word, and writes a journal")
  func guide() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let guide = try String(
      contentsOf: root.appending(
        path: "Modules/PlainTextAccounting/PlainTextAccounting.docc/PlainTextAccounting.md"),
      encoding: .utf8)
    let code = try #require(guide.firstMatch(of: #/```swift\n([^`]+)\n```/#)?.output.1)
    #expect(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8).contains(code))

    let pipe = Pipe()
    let database = try await LocalDatabase.inMemory()
    try await write(database, to: pipe.fileHandleForWriting)
    try await database.close()
    try pipe.fileHandleForWriting.close()
    let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
    #expect(String(decoding: text, as: UTF8.self).hasPrefix("; appcore writes this file anew"))
  }
}
