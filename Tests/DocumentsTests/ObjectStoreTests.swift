import Foundation
import Models
import SyncSupport
import SystemSupport
import TestSupport
import Testing

@testable import Documents
@testable import Storage

/// The folder of objects, and what its content is checked for.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ObjectStoreTests {
  // Edge case 71
  @Test("each of a thousand flipped bits is found, and none is where nothing was changed")
  func flippedBits() async throws {
    let folder = try TemporaryDirectory()
    let store = ObjectStore(folder: folder.path)
    var random = SeededRandom(seed: 1)
    var contents: [String: [UInt8]] = [:]
    for number in 0..<20 {
      let bytes = (0..<(1 + number * 40)).map { _ in UInt8(random.within(0...255)) }
      let arrival = try store.arrival(of: "\(number)", account: "a")
      try Data(bytes).write(to: URL(filePath: arrival))
      let sha256 = SHA256.hash(Data(bytes)).hexadecimal
      try await store.adopt(arrival, as: sha256) {}
      contents[sha256] = bytes
      #expect(try await store.isWhole(sha256))
    }
    var found = 0
    for _ in 0..<1_000 {
      let sha256 = random.one(of: contents.keys.sorted())
      let bytes = try #require(contents[sha256])
      var damaged = bytes
      damaged[random.within(0...bytes.count - 1)] ^= 1 << UInt8(random.within(0...7))
      let url = URL(filePath: store.path(of: sha256))
      try Data(damaged).write(to: url)
      if try await !store.isWhole(sha256) { found += 1 }
      try Data(bytes).write(to: url)
      #expect(try await store.isWhole(sha256))
    }
    #expect(found == 1_000)
  }

  @Test("an object that is missing, cut, longer, or a link to its content is not whole")
  func otherDamage() async throws {
    let folder = try TemporaryDirectory()
    let store = ObjectStore(folder: folder.path)
    let arrival = try store.arrival(of: "a", account: "a")
    try Data("content".utf8).write(to: URL(filePath: arrival))
    let sha256 = SHA256.hash(Data("content".utf8)).hexadecimal
    #expect(try await !store.isWhole(sha256) && !store.holds(sha256, size: nil))
    try await store.adopt(arrival, as: sha256) {}
    let path = store.path(of: sha256)
    #expect(try await store.isWhole(sha256) && store.holds(sha256, size: 7))
    #expect(!store.holds(sha256, size: 8))
    for other in ["conten", "content\n", ""] {
      try Data(other.utf8).write(to: URL(filePath: path))
      #expect(try await !store.isWhole(sha256))
    }
    try FileManager.default.removeItem(atPath: path)
    let target = try folder.write("content", to: "elsewhere")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect(try await !store.isWhole(sha256) && !store.holds(sha256, size: nil))
  }

  @Test("a file keeps its first name until its row is stored, also where its object was before")
  func interruptedAdoption() async throws {
    struct Killed: Error {}
    let folder = try TemporaryDirectory()
    let store = ObjectStore(folder: folder.file("documents"))
    let content = Array("%PDF-1.7".utf8)
    let sha256 = SHA256.hash(Data(content)).hexadecimal
    let arrival = try store.arrival(of: "a", account: "default")
    try Data(content).write(to: URL(filePath: arrival))
    // Twice, because the second time both names are those of one file.
    for _ in 0..<2 {
      await #expect(throws: Killed.self) {
        try await store.adopt(arrival, as: sha256) { throw Killed() }
      }
      #expect(FileManager.default.fileExists(atPath: arrival))
      #expect(try await store.isWhole(sha256))
    }
    // A damaged object is replaced.
    try FileManager.default.removeItem(atPath: store.path(of: sha256))
    try Data("damaged".utf8).write(to: URL(filePath: store.path(of: sha256)))
    try await store.adopt(arrival, as: sha256) {}
    #expect(try await store.isWhole(sha256))
    let arrivals = folder.file("documents/arriving")
    #expect(try FileManager.default.contentsOfDirectory(atPath: arrivals) == [])
  }

  // Edge case 76
  @Test("no object is removed between its arrival and its row, and none arrives during a removal")
  func removal() async throws {
    let folder = try TemporaryDirectory()
    let store = ObjectStore(folder: folder.path)
    let (first, second) = (
      try store.arrival(of: "1", account: "a"), try store.arrival(of: "2", account: "b")
    )
    for path in [first, second] { try Data("content".utf8).write(to: URL(filePath: path)) }
    let sha256 = SHA256.hash(Data("content".utf8)).hexadecimal
    let (came, recorded) = (Gate(), Gate())
    let coming = Task {
      try await store.adopt(first, as: sha256) {
        came.open()
        await recorded.wait()
      }
    }
    await came.wait()
    await #expect(throws: DocumentError.self) {
      try await store.whileNoneComes(timeout: .zero) { await store.remove([sha256]) }
    }
    #expect(try await store.isWhole(sha256))
    // Two objects come at once.
    try await store.adopt(second, as: sha256) {}
    recorded.open()
    try await coming.joined
    try await store.whileNoneComes(timeout: .zero) {
      // An object that comes waits for the lock, which it would share with others.
      #expect(FileLock.isHeld(at: store.objects + ".lock"))
      await store.remove([sha256])
    }
    #expect(try await !store.isWhole(sha256))
  }

  @Test("what interrupted runs of an account left is removed, and nothing of another account")
  func arrivals() throws {
    let folder = try TemporaryDirectory()
    let store = ObjectStore(folder: folder.path)
    let left = try store.arrival(of: "a", account: "a")
    let other = try store.arrival(of: "a", account: "b")
    for end in ["", ".part", ".part.json"] {
      for path in [left, other] { try Data("x".utf8).write(to: URL(filePath: path + end)) }
    }
    #expect(try store.arrival(of: "a", account: "a") == left)
    #expect(try Set([left, other, store.arrival(of: "b", account: "a")]).count == 3)
    store.removeArrivals(account: "a")
    #expect(SampleDocuments.files(in: folder.path).count == 3)
    store.removeArrivals(account: "b")
    #expect(SampleDocuments.files(in: folder.path).isEmpty)
  }

  @Test(
    "a file is what its kind demands, and an attachment what the provider states",
    arguments: [
      (DocumentKind.pdf, "%PDF-1.7\n…%%EOF\n", nil), (.pdf, "junk %PDF-1.4 … %%EOF", nil),
      (.pdf, "%PDF-1.7\n", "it is cut off"), (.pdf, "", "it is empty"),
      (.pdf, "\u{FEFF} <!DOCTYPE HTML>", "it is no PDF, but a web page"),
      (.pdf, " [1]", "it is no PDF, but JSON"), (.pdf, "GIF89a", "it is no PDF"),
      (.ubl, "<?xml version=\"1.0\"?><Invoice><a/></Invoice>\n", nil),
      (.ubl, "<ubl:CreditNote></ubl:CreditNote >", nil),
      (.ubl, "<Invoice><a></a>", "it is cut off"),
      (.ubl, "<html></html>", "it is no XML, but a web page"),
      (.ubl, "{}", "it is no XML, but JSON"),
      (.ubl, "text", "it is no XML"), (.attachment, "anything", nil),
      (.attachment, "", "it is empty"),
      (.attachment, "<html>", "it is a web page"),
    ] as [(DocumentKind, String, String?)])
  func checks(kind: DocumentKind, content: String, problem: String?) throws {
    let folder = try TemporaryDirectory()
    let facts = try FileFacts(path: folder.write(content, to: "file"), withMD5: true)
    #expect(facts.size == content.utf8.count)
    #expect(facts.sha256 == SHA256.hash(Data(content.utf8)).hexadecimal)
    do throws(DocumentError) {
      try DocumentCheck(kind: kind).require(facts)
      #expect(problem == nil)
    } catch {
      #expect(error.description == "the answer is not the file: \(problem ?? "")")
    }
  }

  @Test("the head and the tail of a file are its first and last bytes, however long it is")
  func edges() throws {
    let folder = try TemporaryDirectory()
    for size in [0, 1, 1_023, 1_024, 1_025, 131_072, 131_073, 300_000] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
      try Data(bytes).write(to: URL(filePath: folder.file("file")))
      let facts = try FileFacts(path: folder.file("file"))
      #expect(facts.size == size && facts.md5 == nil)
      #expect(facts.head == Array(bytes.prefix(1_024)) && facts.tail == Array(bytes.suffix(1_024)))
    }
  }
}
