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
    #expect(try SampleDocuments.text("\(path)/\(name)") == "mine")
    try await check(sumsIn: path)
    let refused = try await export(invoices)
    #expect(refused.failures.map(\.name) == [name] && refused.failures[0].error.code == .outputFile)
    let replacing = DocumentFolder(path: path, existing: .replace)
    let replaced = try await export(invoices, to: .folder(replacing))
    #expect(replaced.skipped == 0 && replaced.progress.files == 3)
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
    _ = try scene.folder.write("earlier", to: "march.zip")
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
    #expect(try SampleDocuments.text(zip) == "earlier")
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
