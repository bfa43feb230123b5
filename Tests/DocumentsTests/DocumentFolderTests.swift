import Foundation
import TestSupport
import Testing

@testable import Documents

/// The folder for people, on a real file system.
@Suite(.timeLimit(.minutes(1))) struct DocumentFolderTests {
  private let scene: SampleDocuments
  private var path: String { scene.folder.file("people/invoices") }

  init() throws { scene = try SampleDocuments() }

  private func inode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
  }

  private func error(_ body: () throws -> Void) -> DocumentError? {
    do { try body() } catch { return error as? DocumentError }
    return nil
  }

  @Test("a file is a hard link to its object, in folders of its owner alone")
  func links() throws {
    let object = try scene.object("one")
    let folder = DocumentFolder(path: path)
    #expect(try folder.place(object: object, as: "2024/01/a.pdf") == .linked)
    #expect(try inode(path + "/2024/01/a.pdf") == inode(object))
    for part in ["", "/2024", "/2024/01"] {
      #expect(try SampleDocuments.mode(path + part) == 0o700)
    }
    #expect(try folder.place(object: object, as: "2024/01/a.pdf") == .unchanged)
    #expect(SampleDocuments.files(in: path) == ["2024/01/a.pdf"])
  }

  @Test("on another file system a file is a copy that its owner alone can read")
  func copies() throws {
    let memory = try TemporaryDirectory(inMemory: true)
    let object = try scene.object(String(repeating: "0123456789", count: 60_000))
    let folder = DocumentFolder(path: memory.file("people"))
    let outcome = try folder.place(object: object, as: "x/a.pdf")
    let copy = memory.file("people/x/a.pdf")
    #expect(try Data(contentsOf: URL(filePath: copy)) == Data(contentsOf: URL(filePath: object)))
    #expect(try folder.place(object: object, as: "x/a.pdf") == .unchanged)
    if outcome == .copied { #expect(try SampleDocuments.mode(copy) == 0o600) }
    #expect(SampleDocuments.files(in: memory.file("people")) == ["x/a.pdf"])
  }

  @Test("a folder of copies shares no file with the objects")
  func asked() throws {
    let object = try scene.object("one")
    let folder = DocumentFolder(path: path, copies: true)
    #expect(try folder.place(object: object, as: "a.pdf") == .copied)
    #expect(try inode(path + "/a.pdf") != inode(object))
    #expect(try folder.place(object: object, as: "a.pdf") == .unchanged)
    #expect(try SampleDocuments.mode(path + "/a.pdf") == 0o600)
  }

  @Test("something else under the name stays, unless it may be replaced")
  func existing() throws {
    let object = try scene.object("new content")
    try FileManager.default.createDirectory(atPath: path + "/d", withIntermediateDirectories: true)
    for content in ["mine", "old content", "new content and more"] {
      try Data(content.utf8).write(to: URL(filePath: path + "/d/a.pdf"))
      let found = error { _ = try DocumentFolder(path: path).place(object: object, as: "d/a.pdf") }
      #expect(found?.description == "\(path)/d/a.pdf exists already, with other content")
      #expect(
        try DocumentFolder(path: path, existing: .skip).place(object: object, as: "d/a.pdf")
          == .skipped)
      #expect(try SampleDocuments.text(path + "/d/a.pdf") == content)
    }
    let replacing = DocumentFolder(path: path, existing: .replace)
    #expect(try replacing.place(object: object, as: "d/a.pdf") == .replaced)
    #expect(try SampleDocuments.text(path + "/d/a.pdf") == "new content")
    // A file with the same content that is no link to the object is left as it is.
    try FileManager.default.removeItem(atPath: path + "/d/a.pdf")
    try Data("new content".utf8).write(to: URL(filePath: path + "/d/a.pdf"))
    #expect(try DocumentFolder(path: path).place(object: object, as: "d/a.pdf") == .unchanged)
    #expect(SampleDocuments.files(in: path) == ["d/a.pdf"])
  }

  @Test(
    "a link in the folder is never followed", arguments: [DocumentFolder.Existing.refuse, .replace])
  func innerLinks(existing: DocumentFolder.Existing) throws {
    let object = try scene.object("secret")
    let outside = scene.folder.file("outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: path + "/2024", withDestinationPath: outside)
    let folder = DocumentFolder(path: path, existing: existing)
    let found = error { _ = try folder.place(object: object, as: "2024/a.pdf") }
    #expect(found?.description == "\(path)/2024 is no folder, or a link to one")
    // The last component: a link to a file outside.
    let target = try scene.folder.write("mine", to: "target")
    try FileManager.default.createSymbolicLink(atPath: path + "/b.pdf", withDestinationPath: target)
    let last = error { _ = try folder.place(object: object, as: "b.pdf") }
    #expect((last == nil) == (existing == .replace))
    #expect(try SampleDocuments.text(target) == "mine")
    #expect(SampleDocuments.files(in: outside).isEmpty)
    #expect(
      try SampleDocuments.text(path + "/b.pdf") == (existing == .replace ? "secret" : "mine"))
  }

  @Test(
    "a name that leads out of the folder is an error",
    arguments: ["../a", "a/../../b", "/a", "a//b", "", ".", "a/.", "a\u{0}b"])
  func outside(name: String) throws {
    let object = try scene.object("one")
    #expect(throws: DocumentError.self) {
      try DocumentFolder(path: path, existing: .replace).place(object: object, as: name)
    }
    #expect(SampleDocuments.files(in: scene.folder.path).count == 1)
  }

  @Test("a file in place of a folder, and a missing object, are errors that name them")
  func errors() throws {
    let object = try scene.object("one")
    let folder = DocumentFolder(path: path)
    _ = try folder.place(object: object, as: "a")
    let found = error { _ = try folder.place(object: object, as: "a/b") }
    #expect(found?.description == "\(path)/a is no folder, or a link to one")
    let missing = error { _ = try folder.place(object: object + "0", as: "c") }
    #expect(missing?.description == "\(object)0 is missing")
    // A link among the objects is no object.
    let link = scene.folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: object)
    #expect(throws: DocumentError.self) { try folder.place(object: link, as: "c") }
    #expect(SampleDocuments.files(in: path) == ["a"])
  }
}
