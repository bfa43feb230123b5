import Models
import Storage
import TestSupport
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

@Suite(.timeLimit(.minutes(10))) struct RepeatFilterTests {
  @Test("the same version again is dropped; another one of the same second is not")
  func repeats() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    func page(_ names: [String]) -> EncodedRecords {
      database.contactStore.encode(
        names.enumerated().map { index, name in
          var contact = Contact(id: "\(index)", status: .active, rawStatus: "ACTIVE")
          contact.name = name
          contact.updatedAt = Timestamp(microsecondsSinceEpoch: 1_000_000)
          return contact
        })
    }
    var filter = RepeatFilter()
    var (first, second) = (page(["Ada", "Bo"]), page(["Ada", "Bo the second"]))
    filter.removeRepeats(from: &first)
    filter.removeRepeats(from: &second)
    #expect(first.entries.map(\.id) == ["0", "1"] && second.entries.map(\.id) == ["1"])
    try await database.close()
  }
}
