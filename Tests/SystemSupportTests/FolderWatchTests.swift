import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SystemSupport

@Suite(.timeLimit(.minutes(10))) struct FolderWatchTests {
  /// The names that a watch reported.
  private final class Names: Sendable {
    let seen = Mutex<[String?]>([])
    func watch(_ folder: String) -> FolderWatch? {
      FolderWatch(folder: folder) { [self] name in seen.withLock { $0.append(name) } }
    }
    func has(_ name: String) -> Bool { seen.withLock { $0.contains(name) } }
  }

  @Test("every watch of a folder sees its changes, and none those of another folder")
  func shared() async throws {
    let (one, two) = (try TemporaryDirectory(), try TemporaryDirectory())
    let (first, second, other) = (Names(), Names(), Names())
    let watches = try [
      #require(first.watch(one.path)), #require(second.watch(one.path)),
      #require(other.watch(two.path)),
    ]
    _ = try one.write("x", to: "a")
    _ = try two.write("x", to: "b")
    try await eventually("each watch sees its file") {
      first.has("a") && second.has("a") && other.has("b")
    }
    #expect(!first.has("b") && !other.has("a"))
    withExtendedLifetime(watches) {}
  }

  @Test("a watch of a file's writes sees them while it stays open, also in a new file of its name")
  func writes() async throws {
    let folder = try TemporaryDirectory()
    let (writes, names) = (Names(), Names())
    let watches = try [
      #require(
        FolderWatch(folder: folder.path, writtenFiles: ["data", "log"]) { name in
          writes.seen.withLock { $0.append(name) }
        }), #require(names.watch(folder.path)),
    ]
    for _ in 1...3 {
      let path = try folder.write("x", to: "data")
      let file = try #require(FileHandle(forWritingAtPath: path))
      try await eventually("the new file is reported") { names.has("data") && writes.has("data") }
      // A write before the file is watched is followed by the event of its name.
      try await eventually("the write is reported") {
        writes.seen.withLock { $0 = [] }
        try file.write(contentsOf: Data("y".utf8))
        return writes.has("data")
      }
      try file.close()
      try FileManager.default.removeItem(atPath: path)
      names.seen.withLock { $0 = [] }
    }
    withExtendedLifetime(watches) {}
  }

  @Test("writes to other files of the folder wake no watch")
  func otherWrites() async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("x", to: "log")
    _ = try folder.write("x", to: "data")
    let names = Names()
    let watch = try #require(
      FolderWatch(folder: folder.path, writtenFiles: ["data"]) { name in
        names.seen.withLock { $0.append(name) }
      })
    let log = try #require(FileHandle(forWritingAtPath: path))
    for _ in 1...900 { try log.write(contentsOf: Data("y".utf8)) }
    try log.close()
    let data = try #require(FileHandle(forWritingAtPath: folder.path + "/data"))
    try data.write(contentsOf: Data("y".utf8))
    try await eventually("the write is reported") { names.has("data") }
    #expect(!names.has("log"))
    try data.close()
    withExtendedLifetime(watch) {}
  }

  @Test("a watch that is dropped leaves the others of its folder")
  func dropped() async throws {
    let folder = try TemporaryDirectory()
    let (kept, gone) = (Names(), Names())
    let watch = try #require(kept.watch(folder.path))
    do {
      let short = try #require(gone.watch(folder.path))
      withExtendedLifetime(short) {}
    }
    _ = try folder.write("x", to: "a")
    try await eventually("the change is reported") { kept.has("a") }
    #expect(!gone.has("a"))
    withExtendedLifetime(watch) {}
  }

  @Test("a folder that is made again can be watched again")
  func madeAgain() async throws {
    let parent = try TemporaryDirectory()
    let path = parent.path + "/folder"
    let names = Names()
    var watches: [FolderWatch] = []
    for round in 1...3 {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      watches.append(try #require(names.watch(path)))
      try Data().write(to: URL(filePath: path + "/file\(round)"))
      try await eventually("the change is reported") { names.has("file\(round)") }
      try FileManager.default.removeItem(atPath: path)
    }
    withExtendedLifetime(watches) {}
  }

  @Test("a process takes one inotify instance, however many folders it watches")
  func oneInstance() throws {
    func instances() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0))
          == "anon_inode:inotify"
      }.count
    }
    let names = Names()
    let folders = try (0..<20).map { _ in try TemporaryDirectory() }
    let first = try #require(names.watch(folders[0].path))
    let before = try instances()
    let watches = try folders.map { try #require(names.watch($0.path)) }
    #expect(try instances() == before)
    withExtendedLifetime((first, watches)) {}
  }

  @Test("events are read as the kernel writes them, lost ones and ended watches too")
  func events() {
    func event(_ watch: CInt, _ mask: Int32, _ name: String, length: Int) -> [UInt8] {
      func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
      let text = Array(name.utf8)
      return bytes(UInt32(bitPattern: watch)) + bytes(UInt32(bitPattern: mask)) + bytes(0)
        + bytes(UInt32(length)) + text + [UInt8](repeating: 0, count: length - text.count)
    }
    let all =
      event(1, 0x8, "file", length: 16) + event(-1, 0x4000, "", length: 0)
      + event(2, 0x8000, "", length: 0) + event(1, 0x80, "cut", length: 16).dropLast(4)
    #expect(
      FolderEvent.events(in: all[...]) == [
        .changed(watch: 1, name: "file"), .overflow, .ended(watch: 2),
      ])
  }
}
