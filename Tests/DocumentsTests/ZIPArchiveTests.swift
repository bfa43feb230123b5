import ErrorCodes
import Foundation
import Models
import Synchronization
import TestSupport
import Testing

@testable import Documents

/// Archives, as other programs read them.
@Suite(.timeLimit(.minutes(30))) struct ZIPArchiveTests {
  static let unzip = ChildProcess.find("unzip")
  static let python = ChildProcess.find("python3")
  static let bsdtar = ChildProcess.find("bsdtar")
  /// The proofs of large archives take minutes and gigabytes.
  static let provesLarge = ProcessInfo.processInfo.environment["APPCORE_LARGE_ZIP"] != nil

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func entry(_ name: String, _ text: String, day: String? = nil) -> ZIPArchive.Entry {
    ZIPArchive.Entry(
      name: name, day: day.flatMap { CalendarDate($0) }, content: .bytes(Array(text.utf8)),
      size: text.utf8.count)
  }

  private func bytes(_ entries: [ZIPArchive.Entry]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try ZIPArchive.write(entries) { bytes += $0 }
    return bytes
  }

  private func write(_ entries: [ZIPArchive.Entry]) throws -> String {
    let path = folder.file("a.zip")
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    let zeros = [UInt8](repeating: 0, count: OpenFile.pieceSize)
    try ZIPArchive.write(entries) { piece in
      // A large archive of zeros takes no room.
      if piece == zeros {
        try file.seek(toOffset: try file.offset() + UInt64(piece.count))
      } else {
        try file.write(contentsOf: piece)
      }
    }
    try file.close()
    return path
  }

  private func run(_ program: String?, _ arguments: [String]) async throws -> ChildProcess.Ending {
    var environment = ProcessInfo.processInfo.environment
    environment["LC_ALL"] = "C.UTF-8"
    return try await ChildProcess(try #require(program), arguments, environment: environment)
      .ending()
  }

  /// Lists names, days, sizes and the name of the first damaged file, as Python reads them.
  private func list(_ path: String) async throws -> String {
    let script = """
      import sys, zipfile
      archive = zipfile.ZipFile(sys.argv[1])
      print(archive.testzip())
      for entry in archive.infolist()[:20]:
        print(entry.filename, entry.date_time, entry.file_size, entry.compress_type)
      print(len(archive.infolist()))
      """
    let ending = try await run(Self.python, ["-c", script, path])
    #expect(ending.errors == "")
    return ending.output
  }

  /// Checks an archive with each program that is installed.
  private func check(_ path: String, _ listed: String, count: Int) async throws {
    if Self.python != nil { #expect(try await list(path) == listed) }
    if Self.unzip != nil {
      let ending = try await run(Self.unzip, ["-tq", path])
      #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
    }
    if Self.bsdtar != nil {
      // As a stream, it reads the headers before the files; from a file, the directory at the end.
      let file = try await run(Self.bsdtar, ["-tf", path])
      let stream = try await run("/bin/sh", ["-c", "cat \"$0\" | bsdtar -tf -", path])
      for ending in [file, stream] {
        #expect(ending.status == 0 && ending.errors == "", "\(ending.errors)")
        #expect(ending.output.split(separator: "\n").count == count)
      }
    }
  }

  @Test("CRC-32 is the checksum of ISO 3309, in whichever pieces the bytes come")
  func checksum() {
    let bytes = Array("123456789".utf8)
    for end in 0...9 {
      var checksum = CRC32()
      checksum.update(Array(bytes[..<end]))
      checksum.update(Array(bytes[end...]))
      #expect(checksum.value == 0xCBF4_3926)
    }
    var long = CRC32()
    long.update([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_003))
    // By zlib's crc32.
    #expect(long.value == 0x141a_12b5)
  }

  @Test("other programs read the files, their UTF-8 names and their days")
  func programs() async throws {
    let names = ["ä/é 株.pdf", "a.pdf", "B.pdf"]
    let path = try write([
      entry(names[0], "one", day: "2024-02-29"), entry(names[1], ""),
      entry(names[2], "three", day: "1979-12-31"), entry("far", "x", day: "2108-01-01"),
    ])
    try await check(
      path,
      """
      None
      B.pdf (1980, 1, 1, 12, 0, 0) 5 0
      a.pdf (1980, 1, 1, 12, 0, 0) 0 0
      far (2107, 12, 31, 12, 0, 0) 1 0
      ä/é 株.pdf (2024, 2, 29, 12, 0, 0) 3 0
      4

      """, count: 4)
    let tar = try await Self.bsdtar == nil ? nil : run(Self.bsdtar, ["-tf", path])
    if let tar { #expect(tar.output.contains("ä/é 株.pdf")) }
  }

  @Test("an archive without files is one that programs read")
  func empty() async throws {
    #expect(try await list(try write([])) == "None\n0\n")
  }

  @Test("the same files give the same bytes, in whichever order they come")
  func sameBytes() throws {
    let entries = (0..<20).map { entry("f\($0)", "content \($0)", day: "2024-01-15") }
    #expect(try bytes(entries) == bytes(entries.reversed()))
  }

  @Test("an object that changes while it is read is an error")
  func changed() throws {
    let path = try folder.write("12345", to: "object")
    let entry = ZIPArchive.Entry(name: "a", day: nil, content: .object(path: path), size: 4)
    #expect(throws: DocumentError.self) { try bytes([entry]) }
    let right = ZIPArchive.Entry(name: "a", day: nil, content: .object(path: path), size: 5)
    var count = 0
    let error = #expect(throws: DocumentError.self) {
      try ZIPArchive.write([right]) { _ in
        count += 1
        // After the header, which has the checksum.
        if count == 1 { _ = try folder.write("54321", to: "object") }
      }
    }
    #expect(error?.code == .input)
  }

  @Test(
    "more files than 65,535 need the directory of zip64",
    .enabled(if: provesLarge, "takes long; set APPCORE_LARGE_ZIP to run it"))
  func manyFiles() async throws {
    let path = try write((0..<65_536).map { entry("f/\($0)", "\($0)") })
    #expect(try await list(path).hasSuffix("\n65536\n"))
    let ending = try await run(
      Self.python,
      ["-c", "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read('f/65535'))", path])
    #expect(ending.output == "b'65535'\n")
    if Self.unzip != nil {
      #expect(try await run(Self.unzip, ["-tq", path]).status == 0)
    }
    if Self.bsdtar != nil {
      let tar = try await run(Self.bsdtar, ["-tf", path])
      #expect(tar.output.split(separator: "\n").count == 65_536)
    }
  }

  @Test(
    "files of more than 4 GiB, and files behind them, are whole",
    .enabled(if: provesLarge, "takes minutes; set APPCORE_LARGE_ZIP to run it"))
  func largeFiles() async throws {
    let object = folder.file("object")
    _ = FileManager.default.createFile(atPath: object, contents: nil)
    let size = 4 * 1024 * 1024 * 1024 + 5
    #expect(truncate(object, size) == 0)
    let path = try write([
      ZIPArchive.Entry(name: "a", day: nil, content: .object(path: object), size: size),
      entry("b", "behind"),
    ])
    try await check(
      path,
      """
      None
      a (1980, 1, 1, 12, 0, 0) \(size) 0
      b (1980, 1, 1, 12, 0, 0) 6 0
      2

      """, count: 2)
  }
}
