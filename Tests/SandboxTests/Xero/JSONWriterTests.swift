import Foundation
import Models
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct JSONWriterTests {
  private func json(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("the writer puts commas between members and elements and nowhere else")
  func commas() {
    let text = json { writer in
      writer.object { writer in
        writer.member("a", 1)
        writer.key("b")
        writer.array { writer in
          writer.object { _ in }
          writer.array { _ in }
          writer.string("x")
          writer.literal("null")
        }
        writer.member(ifPresent: nil, "absent")
        writer.member("c", true)
      }
    }
    #expect(text == #"{"a":1,"b":[{},[],"x",null],"c":true}"#)
  }

  // Edge case 55
  @Test(
    "a decimal keeps every digit",
    arguments: [
      "0", "-0.05", "12.50", "0.000001", "90071992547409931.27",
      "99999999999999999999999999999999999999",
    ])
  func digits(text: String) throws {
    let value = try #require(ExactDecimal(text))
    #expect(json { $0.member("a", value) } == "\"a\":\(text)")
  }

  @Test("any text survives a strict reader")
  func escaping() throws {
    let value = "quote \" backslash \\ tab \t zero \0 line \u{2028} é 漢 🧾"
    let text = json { $0.array { $0.string(value) } }
    #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == [value])
  }

  @Test("a value that Xero leaves out is left out")
  func absent() {
    let bare = json { sampleInvoice(id: "a").write(to: &$0) }
    for name in [
      "InvoiceNumber", "Reference", "DueDate", "FullyPaidOnDate", "SentToContact", "Url",
    ] {
      #expect(!bare.contains("\"\(name)\""))
    }
    var invoice = sampleInvoice(id: "a")
    invoice.reference = ""
    invoice.dueDate = CalendarDate("2020-05-01")
    let full = json { invoice.write(to: &$0) }
    #expect(full.contains(#""Reference":"""#))
    #expect(
      full.contains(
        #""DueDateString":"2020-05-01T00:00:00","DueDate":"/Date(1588291200000+0000)/""#))
  }
}
