import ErrorCodes
import Foundation
import Models
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Documents
@testable import Storage

/// Exports to folders and archives, with their lists.
@Suite(.timeLimit(.minutes(5))) struct DocumentExportTests {
  private let scene: SampleDocuments
  private var path: String { scene.folder.file("export") }
  private var zip: String { scene.folder.file("march.zip") }

  init() throws { scene = try SampleDocuments() }

  private func export(
    _ invoices: [DocumentedInvoice], _ pattern: String = "{date} {number}{ext}",
    to destination: DocumentExport.Destination? = nil, dialect: CSVDialect = .standard,
    onProgress: @escaping @Sendable (DocumentExport.Progress) -> Void = { _ in }
  ) async throws -> DocumentExportReport {
    var export = DocumentExport(
      objects: scene.objects, pattern: try DocumentNamePattern(pattern))
    export.dialect = dialect
    return try await export.write(
      to: destination ?? .folder(DocumentFolder(path: path)), onProgress: onProgress
    ) { body in
      for invoice in invoices { try body(invoice) }
    }
  }

  /// One invoice with two files, a credit note with one, and a bill without any.
  private func sample() throws -> [DocumentedInvoice] {
    [
      SampleDocuments.documented(
        try SampleDocuments.invoice(
          "B-1", id: "3", contact: "=Bill, \"Ltd\"", date: nil, type: .bill), []),
      SampleDocuments.documented(
        try SampleDocuments.invoice(
          "CN-1", id: "2", date: "2024-01-20", type: .creditNote, total: "-10", tax: nil),
        [try scene.stored("credit")]),
      SampleDocuments.documented(
        try SampleDocuments.invoice(),
        [
          try scene.stored("invoice"),
          try scene.stored(
            "photo", SampleDocuments.document(.attachment, id: "p", mediaType: "image/png")),
          SampleDocuments.document(.attachment, id: "never fetched"),
        ]),
    ]
  }

  private func hash(_ text: String) -> String { SHA256.hash(Data(text.utf8)).hexadecimal }

  private func check(sumsIn folder: String) async throws {
    let ending = try await ChildProcess(
      "/bin/sh", ["-c", "cd \"$0\" && sha256sum --strict --quiet -c SHA256SUMS", folder],
      environment: ["PATH": "/usr/bin:/bin"]
    ).ending()
    #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
  }

  /// Unpacks an archive with Python, into a new folder.
  private func unpacked(_ zip: String) async throws -> String {
    let folder = scene.folder.file("unpacked-\(UUID().uuidString)")
    let ending = try await ChildProcess(
      try #require(ZIPArchiveTests.python),
      [
        "-c", "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])", zip,
        folder,
      ], environment: ProcessInfo.processInfo.environment
    ).ending()
    #expect(ending.status == 0, "\(ending.errors)")
    return folder
  }

  @Test("an export has a row for each file and each invoice without one, and amounts once")
  func lists() async throws {
    let report = try await export(try sample())
    #expect(report.progress == DocumentExport.Progress(files: 3, bytes: 18))
    #expect(report.invoices == 3 && report.invoicesWithoutFile == 1 && report.failures.isEmpty)
    #expect(
      try SampleDocuments.text(path + "/index.csv").components(separatedBy: "\r\n") == [
        "account,number,type,date,contact,net,tax,total,currency,file,sha256",
        "shop,INV-1,invoice,2024-01-15,Acme Ltd.,100.00,19.00,119.00,EUR,"
          + "2024-01-15 INV-1.pdf,\(hash("invoice"))",
        "shop,INV-1,invoice,2024-01-15,Acme Ltd.,,,,EUR,2024-01-15 INV-1.png,\(hash("photo"))",
        "shop,CN-1,credit-note,2024-01-20,Acme Ltd.,,,-10,EUR,2024-01-20 CN-1.pdf,"
          + hash("credit"),
        "shop,B-1,bill,,\"=Bill, \"\"Ltd\"\"\",100.00,19.00,119.00,EUR,,", "",
      ])
    #expect(
      try SampleDocuments.text(path + "/SHA256SUMS").split(separator: "\n").map { $0.dropFirst(66) }
        == [
          "2024-01-15 INV-1.pdf", "2024-01-15 INV-1.png", "2024-01-20 CN-1.pdf", "index.csv",
        ])
    try await check(sumsIn: path)
  }

  @Test("for a spreadsheet program the list has an apostrophe before a formula")
  func spreadsheet() async throws {
    _ = try await export(try sample(), dialect: .spreadsheet(hasDecimalComma: true))
    let text = try SampleDocuments.text(path + "/index.csv")
    #expect(text.contains(";\"'=Bill, \"\"Ltd\"\"\";100,00;19,00;119,00;"), "\(text)")
  }

  @Test("the same invoices in another order give an archive of the same bytes")
  func sameBytes() async throws {
    let invoices = try sample()
    _ = try await export(invoices, to: .zip(path: zip))
    let first = try Data(contentsOf: URL(filePath: zip))
    #expect(try SampleDocuments.mode(zip) == 0o600)
    let pieces = Mutex(Data())
    _ = try await export(
      invoices.reversed(),
      to: .zipStream { piece in pieces.withLock { $0.append(contentsOf: piece) } })
    #expect(pieces.withLock { $0 } == first)
    let folder = try await unpacked(zip)
    #expect(SampleDocuments.files(in: folder).count == 5)
    try await check(sumsIn: folder)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).filter {
        $0.hasPrefix(".")
      } == [])
  }

  @Test("an object that is missing or has another size is reported, and the others are there")
  func failures() async throws {
    var invoices = try sample()
    var cut = try scene.stored("whole")
    cut.size = 4
    var traversing = try scene.stored("x")
    traversing.sha256 = "../../target"
    var gone = try scene.stored("gone")
    gone.sha256 = String(repeating: "0", count: 64)
    let bad = [cut, traversing, gone]
    for (index, document) in bad.enumerated() {
      invoices.append(
        SampleDocuments.documented(
          try SampleDocuments.invoice("BAD-\(index)", id: "bad\(index)", date: "2024-03-01"),
          [document]))
    }
    for destination in [
      DocumentExport.Destination.zip(path: zip), .folder(DocumentFolder(path: path)),
    ] {
      let report = try await export(invoices, to: destination)
      #expect(report.failures.map(\.number) == ["BAD-0", "BAD-1", "BAD-2"])
      #expect(report.failures.map(\.name).first == "2024-03-01 BAD-0.pdf")
      #expect(report.failures.allSatisfy { $0.error.code == .input })
      #expect(report.failures[0].error.description.hasSuffix("has 5 bytes instead of 4"))
      #expect(report.progress.files == 3)
    }
    for folder in [path, try await unpacked(zip)] {
      #expect(SampleDocuments.files(in: folder).count == 5)
      #expect(
        try SampleDocuments.text(folder + "/index.csv").contains(
          ",BAD-0,invoice,2024-03-01,Acme Ltd.,100.00,19.00,119.00,EUR,,\r\n"))
      try await check(sumsIn: folder)
    }
  }

  @Test("a later export replaces the lists of an earlier one, and no other file with their names")
  func laterLists() async throws {
    let invoices = try sample()
    _ = try await export([invoices[2]])
    let later = try await export([invoices[1]])
    #expect(later.failures.isEmpty && later.progress.files == 1)
    let names = try SampleDocuments.text(path + "/SHA256SUMS").split(separator: "\n")
      .map { $0.dropFirst(66) }
    #expect(names == ["2024-01-20 CN-1.pdf", "index.csv"])
    try await check(sumsIn: path)
    for (name, content) in [("index.csv", "mine"), ("SHA256SUMS", "")] {
      let file = URL(filePath: "\(path)/\(name)")
      let before = try Data(contentsOf: file)
      try Data(content.utf8).write(to: file)
      try FileManager.default.removeItem(atPath: path + "/2024-01-15 INV-1.pdf")
      for existing in [DocumentFolder.Existing.refuse, .skip] {
        let error = await #expect(throws: DocumentError.self) {
          _ = try await export(
            invoices, to: .folder(DocumentFolder(path: path, existing: existing)))
        }
        #expect(error?.code == .outputFile && error?.description.contains("index.csv") == true)
      }
      #expect(try Data(contentsOf: file) == Data(content.utf8))
      #expect(access(path + "/2024-01-15 INV-1.pdf", F_OK) != 0)
      try before.write(to: file)
      _ = try await export([invoices[2]])
    }
    try Data("mine".utf8).write(to: URL(filePath: path + "/index.csv"))
    _ = try await export(
      invoices, to: .folder(DocumentFolder(path: path, existing: .replace)))
    try await check(sumsIn: path)
  }

  @Test(
    "an edited SHA256SUMS is refused before anything is written",
    arguments: ["a comment", "another file", "a line less", "another order", "no line break"])
  func editedSums(edit: String) async throws {
    let invoices = try sample()
    _ = try await export([invoices[2]])
    let file = URL(filePath: path + "/SHA256SUMS")
    let text = try SampleDocuments.text(file.path)
    let lines = text.split(separator: "\n").map { $0 + "\n" }
    let edited =
      switch edit {
      case "a comment": "# checked by Ada\n" + text
      case "another file": text + "\(hash("x"))  notes.txt\n"
      case "a line less": lines.dropFirst().joined()
      case "another order": lines.reversed().joined()
      default: String(text.dropLast())
      }
    try Data(edited.utf8).write(to: file)
    let before = SampleDocuments.files(in: path)
    for existing in [DocumentFolder.Existing.refuse, .skip] {
      let error = await #expect(throws: DocumentError.self) {
        _ = try await export(
          invoices, to: .folder(DocumentFolder(path: path, existing: existing)))
      }
      #expect(error?.code == .outputFile)
    }
    #expect(try SampleDocuments.text(file.path) == edited)
    #expect(SampleDocuments.files(in: path) == before)
    let report = try await export(
      invoices, to: .folder(DocumentFolder(path: path, existing: .replace)))
    #expect(report.progress.files == 3)
    try await check(sumsIn: path)
  }

  @Test("the lists of a spreadsheet's dialect are known again")
  func spreadsheetAgain() async throws {
    for hasDecimalComma in [false, true] {
      let dialect = CSVDialect.spreadsheet(hasDecimalComma: hasDecimalComma)
      let pattern = "=a;b,c {number}{ext}"
      for invoices in [try sample(), [try sample()[2]]] {
        #expect(try await export(invoices, pattern, dialect: dialect).failures.isEmpty)
      }
      try await check(sumsIn: path)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test("an export that was killed between its lists does not stop the next one")
  func killed() async throws {
    let invoices = try sample()
    let other = scene.folder.file("other")
    _ = try await export([invoices[1]], to: .folder(DocumentFolder(path: other)))
    _ = try await export([invoices[2]])
    func content(_ folder: String, _ name: String) throws -> Data {
      try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
    }
    let earlier = (
      index: try content(path, "index.csv"), sums: try content(path, "SHA256SUMS")
    )
    let new = (
      index: try content(other, "index.csv"), sums: try content(other, "SHA256SUMS")
    )
    let lists = ExportLists([], .standard)
    let line = String(decoding: new.sums, as: UTF8.self).split(separator: "\n")
      .first { $0.hasSuffix("index.csv") }
    let sums = try #require(
      ExportLists.earlierSums(index: path + "/index.csv", sums: path + "/SHA256SUMS"))
    let interim = try #require(lists.interimSums(after: sums))
    try Data(interim).write(to: URL(filePath: path + "/SHA256SUMS"))
    let read = ExportLists.earlierSums(index: path + "/index.csv", sums: path + "/SHA256SUMS")
    #expect(read?.count == sums.count)
    let both = Data(
      (String(decoding: earlier.sums, as: UTF8.self) + (try #require(line)) + "\n").utf8)
    let first = Data(((try #require(line)) + "\n").utf8)
    // Each: the lists as a kill leaves them, after the sums and after the index.
    let states: [(index: Data?, sums: Data)] = [
      (earlier.index, both), (new.index, both), (nil, first), (new.index, first),
    ]
    for state in states {
      try? FileManager.default.removeItem(atPath: path + "/index.csv")
      try state.index?.write(to: URL(filePath: path + "/index.csv"))
      try state.sums.write(to: URL(filePath: path + "/SHA256SUMS"))
      let report = try await export([invoices[2]])
      #expect(report.failures.isEmpty && report.unchanged == 2)
      try await check(sumsIn: path)
      #expect(try content(path, "SHA256SUMS") == earlier.sums)
    }
  }

  @Test("a stored file that is damaged at equal length is reported, and no list names it")
  func damagedObject() async throws {
    let invoices = try sample()
    let object = try scene.object("credit")
    for destination in [
      DocumentExport.Destination.zip(path: zip), .folder(DocumentFolder(path: path)),
      .folder(DocumentFolder(path: scene.folder.file("copies"), copies: true)),
    ] {
      try Data("cREDIT".utf8).write(to: URL(filePath: object))
      let report = try await export(invoices, to: destination)
      #expect(report.failures.map(\.number) == ["CN-1"] && report.progress.files == 2)
      #expect(report.failures.first?.error.code == .input)
      #expect(
        report.failures.first?.error.description == "\(object) is damaged: its SHA-256 differs")
    }
    for folder in [path, scene.folder.file("copies"), try await unpacked(zip)] {
      #expect(SampleDocuments.files(in: folder).count == 4)
      try await check(sumsIn: folder)
    }
    // A link to an object that is damaged later is no file that is there already.
    try Data("credit".utf8).write(to: URL(filePath: object))
    #expect(try await export(invoices).failures.isEmpty)
    try Data("cREDIT".utf8).write(to: URL(filePath: object))
    #expect(try await export(invoices).failures.map(\.number) == ["CN-1"])
    try await check(sumsIn: path)
  }

  @Test("an archive replaces an archive and an empty file, and another file only if it may")
  func replacedArchive() async throws {
    let invoices = try sample()
    for content in ["", "PK earlier"] {
      _ = try scene.folder.write(content, to: "march.zip")
      #expect(try await export(invoices, to: .zip(path: zip)).progress.files == 3)
    }
    for content in ["m", "my notes"] {
      _ = try scene.folder.write(content, to: "march.zip")
      let error = await #expect(throws: DocumentError.self) {
        _ = try await export(invoices, to: .zip(path: zip))
      }
      #expect(error?.code == .outputFile)
      #expect(error?.description == "\(zip) exists already, and is no ZIP archive")
      #expect(try SampleDocuments.text(zip) == content)
    }
    #expect(try await export(invoices, to: .zip(path: zip, replaces: true)).progress.files == 3)
    #expect(SampleDocuments.files(in: try await unpacked(zip)).count == 5)
  }

  @Test("a second export to a folder refuses, skips or replaces what has other content")
  func existing() async throws {
    let invoices = try sample()
    _ = try await export(invoices)
    let again = try await export(invoices)
    #expect(again.unchanged == 3 && again.failures.isEmpty && again.progress.files == 3)
    let name = "2024-01-20 CN-1.pdf"
    // A new file: the old one is a link to its object.
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    _ = try Data("mine".utf8).write(to: URL(filePath: "\(path)/\(name)"))
    let skipping = DocumentFolder(path: path, existing: .skip)
    let skipped = try await export(invoices, to: .folder(skipping))
    #expect(skipped.skipped == 1 && skipped.unchanged == 2 && skipped.progress.files == 2)
    #expect(skipped.skippedNames == [name])
    #expect(try SampleDocuments.text("\(path)/\(name)") == "mine")
    try await check(sumsIn: path)
    let refused = try await export(invoices)
    #expect(refused.failures.map(\.name) == [name] && refused.failures[0].error.code == .outputFile)
    let replacing = DocumentFolder(path: path, existing: .replace)
    let replaced = try await export(invoices, to: .folder(replacing))
    #expect(replaced.skipped == 0 && replaced.replaced == 1 && replaced.progress.files == 3)
    #expect(try SampleDocuments.text("\(path)/\(name)") == "credit")
    try await check(sumsIn: path)
  }

  @Test(
    "no hostile name leaves the folder, and none is lost",
    arguments: ["{contact}/{number}", "{name}{ext}"])
  func hostileNames(pattern: String) async throws {
    let names = SampleDocuments.hostileNames
    let invoices = try names.enumerated().map { index, name in
      let document = SampleDocuments.document(.attachment, id: "doc-\(index)", name: name)
      return SampleDocuments.documented(
        try SampleDocuments.invoice(name, id: "id-\(index)", contact: name),
        [try scene.stored("content \(index)", document)])
    }
    let outside = SampleDocuments.files(in: scene.folder.path)
    let report = try await export(invoices, pattern)
    #expect(report.failures.isEmpty && report.progress.files == names.count && names.count >= 60)
    let found = SampleDocuments.files(in: path)
    #expect(found.count == names.count + 2)
    #expect(Set(found.map { $0.uppercased().lowercased() }).count == found.count)
    #expect(
      SampleDocuments.files(in: scene.folder.path).filter { !$0.hasPrefix("export/") } == outside)
    let contents = try Set(
      found.subtracting(ExportLists.names).map { try SampleDocuments.text("\(path)/\($0)") })
    #expect(contents.count == names.count)
    try await check(sumsIn: path)
    let again = try await export(invoices, pattern)
    #expect(again.unchanged == names.count && again.failures.isEmpty)

    _ = try await export(invoices, pattern, to: .zip(path: zip))
    #expect(SampleDocuments.files(in: try await unpacked(zip)) == found)
  }

  @Test(
    "10,000 files of 1,000 invoices are all there, each under a name of its own",
    .enabled(if: ZIPArchiveTests.provesLarge, "takes long; set APPCORE_LARGE_ZIP to run it"))
  func many() async throws {
    let stored = try scene.stored("the same")
    let invoices = try (0..<1_000).map { index in
      SampleDocuments.documented(
        try SampleDocuments.invoice("INV-\(index / 2)", id: "id\(index)"),
        (0..<10).map { position in
          var document = stored
          (document.kind, document.id) = (.attachment, "\(index)-\(position)")
          return document
        })
    }
    let last = Mutex(DocumentExport.Progress())
    let report = try await export(invoices, to: .zip(path: zip)) { progress in
      last.withLock { $0 = progress }
    }
    #expect(report.progress.files == 10_000 && report.progress == last.withLock { $0 })
    let folder = try await unpacked(zip)
    #expect(SampleDocuments.files(in: folder).count == 10_002)
  }

  @Test("a cancelled export leaves an earlier archive as it was")
  func cancellation() async throws {
    _ = try scene.folder.write("PK earlier", to: "march.zip")
    let invoices = try sample()
    let task = Mutex<Task<DocumentExportReport, any Error>?>(nil)
    let isStarted = Gate()
    let export = Task {
      await isStarted.wait()
      return try await self.export(invoices, to: .zip(path: zip)) { _ in
        task.withLock { $0?.cancel() }
      }
    }
    task.withLock { $0 = export }
    isStarted.open()
    await #expect(throws: CancellationError.self) { _ = try await export.joined }
    #expect(try SampleDocuments.text(zip) == "PK earlier")
  }

  @Test("an archive that cannot be written is an error that names it")
  func unwritable() async throws {
    let invoices = try sample()
    let path = scene.folder.file("no/march.zip")
    let missing = await #expect(throws: DocumentError.self) {
      _ = try await export(invoices, to: .zip(path: path))
    }
    #expect(missing?.description == "\(path) cannot be read or written: No such file or directory")
    let full = await #expect(throws: DocumentError.self) {
      _ = try await export(invoices, to: .zip(path: "/dev/full"))
    }
    #expect(full?.code == .diskFull)
  }

  @Test("a name in SHA256SUMS is escaped as sha256sum does")
  func escapedNames() {
    #expect(ExportLists.sum("ab", of: "a b") == "ab  a b\n")
    #expect(ExportLists.sum("ab", of: "a\\b\nc\r") == "\\ab  a\\\\b\\nc\\r\n")
  }
}
