import Foundation
import Models
import Storage
import Testing

@testable import Documents

/// Names for people, made of an invoice's values.
@Suite(.timeLimit(.minutes(1))) struct DocumentNameTests {
  private func path(
    _ pattern: String, _ invoice: StoredInvoice, _ document: StoredDocument
  ) throws -> String {
    var names = DocumentNames()
    return names.choose(try DocumentNamePattern(pattern).name(of: document, of: invoice))
  }

  private func path(
    _ pattern: String, number: String? = "INV-1", contact: String? = "Acme Ltd."
  ) throws -> String {
    try path(
      pattern, try SampleDocuments.invoice(number, contact: contact), SampleDocuments.document())
  }

  @Test("every field stands for its value, and the extension ends the name")
  func fields() throws {
    #expect(
      try path("{year}/{month}/{date} {number} {contact}{ext}")
        == "2024/01/2024-01-15 INV-1 Acme Ltd.pdf")
    let attachment = SampleDocuments.document(.attachment, id: "9", name: "Scan 12.03.PNG")
    #expect(
      try path(
        "{account}-{type}-{kind}-{currency}-{total}-{day} {name} {id}",
        try SampleDocuments.invoice(id: "x"), attachment)
        == "shop-invoice-attachment-EUR-119.00-15 Scan 12.03 x.png")
    for field in DocumentNamePattern.Field.allCases {
      #expect(throws: Never.self) { try DocumentNamePattern("a{\(field.rawValue)}") }
    }
  }

  @Test("a missing value has a word in its place")
  func missingValues() throws {
    let invoice = try SampleDocuments.invoice(nil, id: "id-7", contact: "\u{202E}", date: nil)
    #expect(
      try path(
        "{year}/{month}/{day}/{date} {number} {contact} {name}", invoice, SampleDocuments.document()
      )
        == "undated/00/00/undated id-7 unknown id-7.pdf")
  }

  @Test("a pattern that cannot be read is an error that says why")
  func patterns() throws {
    func error(_ pattern: String) -> String? {
      do { _ = try DocumentNamePattern(pattern) } catch { return error.description }
      return nil
    }
    #expect(
      error("{date} {nummer}")?.hasPrefix("a name has no field '{nummer}'; available: y") == true)
    #expect(error("{date")?.hasSuffix("'{' has no '}'") == true)
    #expect(error("date}")?.hasSuffix("'}' has no '{'") == true)
    #expect(error("{ext}{date}")?.hasSuffix("'{ext}' is not at its end") == true)
    for pattern in ["", "/a", "a/", "a//b", "a/{ext}"] {
      #expect(error(pattern)?.hasSuffix("a folder or file in it has no name") == true, "\(pattern)")
    }
    #expect(error(String(repeating: "a/", count: 16) + "b") != nil)
    #expect(error(String(repeating: "a/", count: 15) + "b") == nil)
  }

  @Test("only a slash of the pattern makes a folder")
  func folders() throws {
    #expect(try path("{contact}/{number}", number: "2024/7", contact: "../a/b") == "a-b/2024-7.pdf")
    #expect(try path("../{number}") == "_/INV-1.pdf")
    #expect(try path("a\\b/{number}") == "a-b/INV-1.pdf")
    #expect(try path("{contact}/\u{301}{number}", contact: "\u{301}") == "unknown/INV-1.pdf")
  }

  @Test(
    "the media type decides on the extension, then the provider's own name",
    arguments: [
      (.pdf, nil, nil, ".pdf"), (.ubl, nil, nil, ".xml"), (.attachment, nil, nil, ".bin"),
      (.attachment, "a.exe", "application/pdf", ".pdf"), (.attachment, "a.JPEG", nil, ".jpeg"),
      (.attachment, "a.pdf", "image/png; charset=x", ".png"), (.attachment, "a.", nil, ".bin"),
      (.attachment, "a.b/c", nil, ".bin"), (.attachment, ".bashrc", nil, ".bin"),
      (.attachment, "a.tar.gz", "application/octet-stream", ".gz"),
      (.attachment, "12.03", nil, ".bin"), (.attachment, "a.ninechars", nil, ".bin"),
      (.attachment, "a.pd\u{202E}f", "IMAGE/JPEG", ".jpg"),
    ] as [(DocumentKind, String?, String?, String)])
  func extensions(kind: DocumentKind, name: String?, mediaType: String?, ending: String) {
    #expect(
      FileExtension.of(SampleDocuments.document(kind, name: name, mediaType: mediaType)) == ending)
  }

  @Test("a name never has two extensions that contradict each other")
  func oneExtension() throws {
    let invoice = try SampleDocuments.invoice("INV.pdf")
    let image = SampleDocuments.document(
      .attachment, id: "1", name: "invoice.pdf.exe", mediaType: "image/png")
    #expect(try path("{name}", invoice, image) == "invoice.png")
    #expect(try path("{number}", invoice, image) == "INV.png")
  }

  @Test("every component of a hostile name is safe on every file system", arguments: 0...1)
  func hostileNames(place: Int) throws {
    #expect(SampleDocuments.hostileNames.count >= 60)
    for text in SampleDocuments.hostileNames {
      let pattern = try DocumentNamePattern(["{contact}/{number}", "{name}"][place])
      let name = pattern.name(
        of: SampleDocuments.document(.attachment, id: "1", name: text),
        of: try SampleDocuments.invoice(text, contact: text))
      var names = DocumentNames()
      for path in [names.choose(name), names.choose(name), names.choose(name)] {
        let components = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        #expect(components.count == 2 - place, "\(path)")
        for component in components { expectSafe(component) }
      }
    }
  }

  private func expectSafe(_ name: String) {
    #expect((1...200).contains(name.utf8.count), "\(name)")
    let scalars = Array(name.unicodeScalars)
    #expect(scalars == Array(name.precomposedStringWithCanonicalMapping.unicodeScalars))
    #expect(!scalars.contains { "/\\:*?\"<>|".unicodeScalars.contains($0) }, "\(name)")
    #expect(
      scalars.allSatisfy { $0.isSafeToDisplay && !$0.properties.isDefaultIgnorableCodePoint })
    #expect(scalars.first.map { !" .-".unicodeScalars.contains($0) } == true, "\(name)")
    #expect(scalars.last.map { !" .".unicodeScalars.contains($0) } == true, "\(name)")
    let base = name.split(separator: ".").first.map { $0.uppercased() } ?? ""
    #expect(!["CON", "NUL", "AUX", "PRN", "COM1", "COM¹", "LPT9", "CONIN$"].contains(base))
  }

  @Test("a long name is cut between two characters, and keeps its extension")
  func longNames() throws {
    let family = "👨\u{1F3FD}"
    let name = try path("{number}", number: String(repeating: family, count: 60))
    #expect(name == String(repeating: family, count: 24) + ".pdf")
    let marks = try path("{number}", number: "e" + String(repeating: "\u{301}", count: 400))
    #expect(marks.utf8.count == 200 && marks.hasSuffix(".pdf"))
    #expect(
      try path("{number}", number: String(repeating: "x", count: 195) + " y") == String(
        repeating: "x", count: 195) + ".pdf")
  }

  @Test("a collision adds eight letters of the identifier, whatever the case and the accents")
  func collisions() throws {
    let pattern = try DocumentNamePattern("{contact}/{number}{ext}")
    var names = DocumentNames(taken: ["ACME LTD/inv-3.PDF"])
    func choose(
      _ number: String, _ id: String, contact: String = "Acme Ltd", account: String = "shop",
      _ document: StoredDocument = SampleDocuments.document()
    ) throws -> String {
      names.choose(
        pattern.name(
          of: document,
          of: try SampleDocuments.invoice(number, id: id, contact: contact, account: account)))
    }
    #expect(try choose("INV-1", "a") == "Acme Ltd/INV-1.pdf")
    #expect(try choose("inv-1", "0000-1234-5678") == "Acme Ltd/inv-1-12345678.pdf")
    #expect(try choose("INV-3", "in_ABCDEFGHIJ") == "Acme Ltd/INV-3-CDEFGHIJ.pdf")
    #expect(try choose("é", "x1") == "Acme Ltd/é.pdf")
    #expect(try choose("E\u{301}", "x2") == "Acme Ltd/É-x2.pdf")
    let attachment = SampleDocuments.document(
      .attachment, id: "att-9", mediaType: "application/pdf")
    #expect(try choose("INV-1", "a", attachment) == "Acme Ltd/INV-1-att9.pdf")
    // The same identifiers in two accounts.
    #expect(try choose("INV-1", "z1") == "Acme Ltd/INV-1-z1.pdf")
    let other = try choose("INV-1", "z1", account: "b")
    #expect(other.wholeMatch(of: /Acme Ltd\/INV-1-[0-9a-f]{8}\.pdf/) != nil, "\(other)")
    // Even the very same file twice.
    #expect(try choose("INV-1", "z1", account: "b").hasSuffix("-2.pdf"))
    let long = String(repeating: "x", count: 300)
    _ = try choose(long, "l1")
    let marked = try choose(long, "l-23456789")
    #expect(marked.hasSuffix("x-23456789.pdf") && marked.utf8.count == 9 + 200)
  }

  @Test("a folder never has the name of a file, nor a file that of a folder")
  func foldersAndFiles() throws {
    var names = DocumentNames(taken: ["index.csv", "Acme/x"])
    let document = SampleDocuments.document(.attachment, id: "1", mediaType: "text/csv")
    func choose(_ pattern: String, _ number: String) throws -> String {
      let invoice = try SampleDocuments.invoice(number, contact: "INDEX.CSV")
      return names.choose(try DocumentNamePattern(pattern).name(of: document, of: invoice))
    }
    #expect(try choose("{contact}/{number}", "a") == "_INDEX.CSV/a.csv")
    #expect(try choose("{number}", "_index") == "_index-1.csv")
    #expect(try choose("{number}", "index") == "index-1.csv")
    #expect(try choose("acme/x/{number}", "a") == "acme/_x/a.csv")
  }

  @Test(
    "the layout of beancount has the account as folders and begins with the date",
    arguments: [
      ("Acme Ltd", .invoice, "Assets/Receivable/Acme-Ltd/2024-01-15.INV-1.pdf"),
      ("acme & söhne/2", .creditNote, "Assets/Receivable/Acme-söhne-2/2024-01-15.INV-1.pdf"),
      ("3M", .bill, "Liabilities/Payable/3M/2024-01-15.INV-1.pdf"),
      ("株式会社", .billCredit, "Liabilities/Payable/Contact-株式会社/2024-01-15.INV-1.pdf"),
      ("../..", .invoice, "Assets/Receivable/Unknown/2024-01-15.INV-1.pdf"),
      (nil, .invoice, "Assets/Receivable/Unknown/2024-01-15.INV-1.pdf"),
    ] as [(String?, InvoiceType, String)])
  func beancount(contact: String?, type: InvoiceType, path: String) throws {
    let invoice = try SampleDocuments.invoice(contact: contact, type: type)
    var names = DocumentNames()
    let name = DocumentNamePattern.beancount.name(of: SampleDocuments.document(), of: invoice)
    #expect(names.choose(name) == path)
  }
}
