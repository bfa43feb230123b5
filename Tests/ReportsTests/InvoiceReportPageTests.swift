import Foundation
import FoundationXML
import Models
import Storage
import Testing

@testable import Reports

/// A page is well-formed, complete, and shows hostile texts as texts.
@Suite(.timeLimit(.minutes(1))) struct InvoiceReportPageTests {
  private func page(_ report: InvoiceReport) throws -> String {
    InvoiceReportPage(report, of: try SampleReport.query()).html
  }

  @Test("a page is well-formed XML with unique identifiers, and its references lead somewhere")
  func wellFormed() throws {
    let elements = try PageElements(page(try SampleReport.whole()))
    let ids = elements.values(of: "id")
    #expect(ids.count > 10 && Set(ids).count == ids.count)
    let references =
      elements.values(of: "aria-labelledby").flatMap { $0.split(separator: " ").map(String.init) }
      + elements.values(of: "href").map { String($0.dropFirst()) }
    #expect(references.count > 10 && Set(references).isSubset(of: ids))
    for report in [try SampleReport.report([]), InvoiceReport(emptyFor: try SampleReport.query())] {
      #expect(try PageElements(page(report)).count(of: "main") == 1)
    }
  }

  @Test("a page has no script, no request, and a policy against both")
  func selfContained() throws {
    let page = try page(try SampleReport.whole())
    let elements = try PageElements(page)
    for name in ["script", "img", "link", "iframe", "object", "form", "base", "image", "use"] {
      #expect(elements.count(of: name) == 0)
    }
    #expect(elements.values(of: "src").isEmpty && elements.values(of: "style").isEmpty)
    #expect(elements.values(of: "href").allSatisfy { $0.hasPrefix("#") })
    #expect(!elements.names.contains { $0.hasPrefix("on") })
    #expect(!page.contains("url(") && !page.contains("@import"))
    #expect(page.contains("default-src 'none'"))
  }

  @Test("a hostile name is shown as text, without characters that hide or reorder")
  func hostile() throws {
    let page = try page(try SampleReport.whole())
    #expect(page.contains("&lt;/bdi&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;"))
    #expect(!page.contains("<script") && !page.contains("<img"))
    for character in ["\u{202E}", "\u{1B}", "\u{0}"] { #expect(!page.contains(character)) }
  }

  @Test("currencies and sides are sections of their own, and their sums are exact")
  func sections() throws {
    let page = try page(try SampleReport.whole())
    let parts = page.components(separatedBy: "<h2 ").dropFirst(2)
    #expect(parts.count == 2)
    let (euro, yen) = (try #require(parts.first), try #require(parts.last))
    #expect(euro.contains("Paid, by month of payment") && euro.contains("12.50"))
    #expect(euro.contains("And 1 payment earlier or without a day: "))
    #expect(euro.contains("<h3 id=\"a1-eur-sales\">Sales") && euro.contains(">Purchases</h3>"))
    #expect(yen.contains("<h3 id=\"a2-jpy-sales\">") && !yen.contains("Purchases"))
    // 1234.5 - 40 + 1, with the decimals of each currency.
    #expect(euro.contains("1\u{202F}195.50") && yen.contains("900\u{202F}000 "))
    #expect(euro.contains("1\u{202F}234\u{202F}570.395"))
  }

  @Test("the head says how many documents count, and which are left out")
  func omitted() throws {
    let counted = try SampleReport.whole()
    let page = try page(counted)
    let head = try #require(page.components(separatedBy: "</header>").first)
    #expect(counted.count == 5)
    #expect(
      head.contains(
        "<p>5 of 1\u{202F}241 documents count. Left out: 1 draft, 1\u{202F}234 void, 1 deleted.</p>"
      ), "\(head)")
    let none = try self.page(InvoiceReport(emptyFor: try SampleReport.query()))
    #expect(!none.contains("Left out"))
  }

  @Test("screen readers find a language, landmarks, headings in order and a table of each chart")
  func accessible() throws {
    let page = try page(try SampleReport.whole())
    let elements = try PageElements(page)
    #expect(page.contains("<html lang=\"en\""))
    for name in ["header", "main", "footer", "h1", "title"] {
      // A title is also the name of each picture and its parts.
      #expect(elements.count(of: name) >= 1)
    }
    // The table of accounts has a heading, and one for each side.
    #expect(elements.count(of: "h2") == 3 && elements.count(of: "h3") == 5)
    #expect(elements.count(of: "details") == 3 && elements.count(of: "desc") == 3)
    let levels = elements.headings
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 })
    // A picture has a name, or is hidden where a table says the same.
    #expect(elements.pictures.allSatisfy { $0 })
    #expect(elements.tablesWithoutHead == 0)
  }

  @Test("several accounts are parts of their own, below a table of what each is due")
  func accounts() throws {
    let one = try SampleReport.section("EUR", .sales, months: [("2026-01", "11")], account: "a")
    let other = try SampleReport.section("EUR", .sales, months: [("2026-01", "22")])
    let page = try page(try SampleReport.report([one, other], accounts: ["a", "shop"]))
    let parts = page.components(separatedBy: "<h2 ").dropFirst()
    #expect(page.contains("<bdi>a</bdi>, <bdi>shop</bdi>") && !page.contains("33.00"))
    #expect(
      parts.map { $0.prefix { $0 != "/" } } == [
        "id=\"accounts\">Accounts<", "id=\"a1-EUR\"><bdi>a<", "id=\"a2-EUR\"><bdi>shop<",
      ])
    let table = try #require(parts.first)
    #expect(
      table.contains(
        "<a href=\"#a1-EUR\"><bdi>a</bdi></a> <span class=\"tag\">EUR</span></th>"
          + "<td class=\"n wide\">1</td><td class=\"n invoiced\">11.00</td>"
          + "<td class=\"n\">1\u{202F}234\u{202F}570.395</td>"
          + "<td class=\"n\">1\u{202F}234\u{202F}567.895</td>"), "\(table)")
    #expect(table.contains("<td class=\"n invoiced\">22.00</td>"))
    // Each customer and each open invoice names its account.
    #expect(page.contains("<bdi>Ada</bdi> <span class=\"tag\"><bdi>a</bdi></span>"))
    #expect(page.contains("<bdi>Ada</bdi> <span class=\"tag\"><bdi>shop</bdi></span>"))
    #expect(page.contains("<td class=\"wide\"><bdi>shop</bdi></td>"))
    #expect(page.contains("No sum is of several accounts."))
  }

  @Test("a page of one account has no table of accounts, but links to its currencies")
  func oneAccount() throws {
    let sections = try ["EUR", "JPY"].map {
      try SampleReport.section($0, .sales, months: [("2026-01", "1")])
    }
    let page = try page(try SampleReport.report(sections))
    #expect(try PageElements(page).count(of: "nav") == 1 && page.contains("href=\"#JPY\""))
    #expect(page.contains("<h2 id=\"EUR\">EUR</h2>") && page.contains("id=\"eur-sales\""))
    #expect(!page.contains(">Account</th>") && !page.contains("several accounts"))
    #expect(!page.contains("<bdi>Ada</bdi> <span class=\"tag\"><bdi>"))
  }

  @Test(
    "a chart names its first year, unless January follows too closely",
    arguments: [
      ("2025-10", "2026-02", true), ("2025-11", "2026-10", true), ("2025-12", "2026-11", false),
      ("2025-10", "2027-09", true), ("2025-11", "2027-10", false), ("2025-12", "2025-12", true),
    ])
  func firstYear(first: String, last: String, isNamed: Bool) throws {
    let section = try SampleReport.section("EUR", .sales, months: [(first, "1"), (last, "1")])
    let day = try #require(CalendarDate("2028-01-01"))
    let report = try SampleReport.report([section], day: day)
    #expect(try page(report).contains(">2025</text>") == isNamed)
  }
}
