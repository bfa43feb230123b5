import Foundation
import Models
import Networking
import TestSupport
import Testing

@testable import Sandbox

/// The bytes of the files.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DocumentContentTests {
  /// Returns the objects of a PDF at the offsets of its table.
  private static func objects(of bytes: [UInt8]) throws -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.utf8.count == bytes.count && text.hasPrefix("%PDF-1.4\n"))
    #expect(text.hasSuffix("\n%%EOF\n"))
    let lines = text.split(separator: "\n")
    let start = try #require(Int(lines[lines.count - 2]))
    #expect(String(decoding: bytes[start...].prefix(9), as: UTF8.self) == "xref\n0 7\n")
    let table = String(decoding: bytes[start...], as: UTF8.self).split(separator: "\n")[2..<9]
    #expect(table.allSatisfy { $0.utf8.count == 19 })
    return try table.dropFirst().map { entry in
      let offset = try #require(Int(entry.prefix(10)))
      return String(decoding: bytes[offset...].prefix(60), as: UTF8.self)
    }
  }

  @Test(
    "a PDF has the requested size, and a table that leads to its objects",
    arguments: [
      0, 2_000, 102_400, 131_072 + 1_017,
    ])
  func pdf(size: Int) throws {
    let content = DocumentContent.pdf(["Invoice (1) \\ é"], seed: 3, size: size)
    let bytes = content.bytes
    #expect(bytes.count == content.size && (size == 0 || size == content.size))
    for (index, object) in try Self.objects(of: bytes).enumerated() {
      #expect(object.hasPrefix("\(index + 1) 0 obj\n<< /"))
    }
    #expect(String(decoding: bytes, as: UTF8.self).contains(#"(Invoice \(1\) \\ ?) Tj"#))
  }

  @Test("the same version of an invoice has the same bytes, and a changed one others")
  func versions() {
    var options = SandboxDocuments()
    options.size = 4_000
    var invoice = sampleInvoice(id: "a", milliseconds: 5)
    let before = LedgerDocument.pdf(invoice).content(options)
    #expect(LedgerDocument.pdf(invoice).content(options).bytes == before.bytes)
    invoice.updatedAt = Timestamp(microsecondsSinceEpoch: 6_000)
    let after = LedgerDocument.pdf(invoice).content(options)
    #expect(after.bytes != before.bytes && after.size == before.size)
    #expect(after.entityTag != before.entityTag)
    options.rendersAnew = true
    let anew = (0..<2).map { _ in LedgerDocument.pdf(invoice).content(options).bytes }
    #expect(anew[0] != anew[1])
  }

  @Test("attachments depend on the invoice alone, and their number and names on the options")
  func attachments() {
    var invoice = sampleInvoice(id: "a")
    var options = SandboxDocuments()
    #expect(LedgerAttachment.of(invoice, options).isEmpty)
    invoice.hasAttachments = true
    let files = LedgerAttachment.of(invoice, options)
    #expect((1...2).contains(files.count))
    #expect(files[0].content(options).bytes == files[0].content(options).bytes)
    options.attachments = 0
    #expect(LedgerAttachment.of(invoice, options).isEmpty)
    options.attachmentNames = ["../a", "b\u{0}", "", "CON"]
    let named = LedgerAttachment.of(invoice, options)
    #expect(named.map(\.name) == options.attachmentNames && Set(named.map(\.id)).count == 4)
    options.size = 70_000
    for file in named {
      let content = file.content(options)
      #expect(content.size == 70_000 && content.bytes.count == 70_000)
      let start: [UInt8] = file.mediaType == "image/png" ? [0x89, 0x50] : Array("%P".utf8)
      #expect(Array(content.bytes.prefix(2)) == start)
    }
  }

  @Test("an e-invoice is XML with the invoice's number and total")
  func ubl() throws {
    var invoice = sampleInvoice(id: "a")
    (invoice.number, invoice.contact.name) = ("A & <B>", "Bräuhof")
    invoice.total = ExactDecimal(12)
    let content = LedgerDocument.ubl(invoice).content(SandboxDocuments())
    let text = String(decoding: content.bytes, as: UTF8.self)
    #expect(content.mediaType == "application/xml")
    #expect(text.contains("<cbc:ID>A &amp; &lt;B></cbc:ID>") && text.contains("Bräuhof"))
    #expect(text.contains(#"<cbc:TaxInclusiveAmount currencyID="CAD">12<"#))
  }

  @Test("a gigabyte is sent from little memory")
  func gigabyte() async throws {
    let (server, caller) = try await startSandbox {
      $0.provider = .stripe
      $0.documents.size = 1 << 30
    }
    let document = try #require(server.documents().first { $0.kind == .pdf })
    #expect(document.size == 1 << 30)
    let invoice = try await caller.get(
      "/v1/invoices/\(document.invoiceID)", headers: ["Authorization": "Bearer sk_live_1"])
    let members = try #require(
      try JSONSerialization.jsonObject(with: Data(invoice.body)) as? [String: Any])
    let link = try #require(members["invoice_pdf"] as? String)
    // The end of it, since the whole would take a while.
    let tail = try await caller.follow(link, headers: ["Range": "bytes=\((1 << 30) - 100_000)-"])
    #expect(tail.status == 206 && tail.body.count == 100_000 && tail.text.hasSuffix("%%EOF\n"))
  }
}
