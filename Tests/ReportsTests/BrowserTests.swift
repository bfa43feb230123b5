import Foundation
import Storage
import TestSupport
import Testing

@testable import Reports

/// A real browser shows a page, which requests nothing else.
@Suite(
  .timeLimit(.minutes(10)), .serialized,
  .enabled(if: Browser.isRequired, "chromium is not installed"))
struct BrowserTests {
  private let browser: Browser
  private let page: String

  init() throws {
    browser = try Browser()
    page = InvoiceReportPage(try SampleReport.whole(), of: try SampleReport.query()).html
  }

  @Test(
    "a page is drawn wide and narrow, light and dark, without a request",
    arguments: [1200, 400], [false, true])
  func drawn(width: Int, isDark: Bool) async throws {
    // A page of several accounts begins without a chart.
    let report = try SampleReport.whole(accounts: ["shop"])
    let page = InvoiceReportPage(report, of: try SampleReport.query()).html
    let view = try await browser.open(page, width: width, isDark: isDark)
    #expect(view.requests.isEmpty)
    try keep(view.picture, "report-\(width)-\(isDark ? "dark" : "light").png")
    let colours = try await PictureColours(view.picture, in: browser)
    #expect(colours.width == width && colours.height == 1000)
    // The page, its panels, and the bars of the two charts.
    let (ground, panel) = isDark ? ("#10151c", "#181f29") : ("#f6f7f9", "#ffffff")
    let bars = isDark ? ["#6f9fe0", "#4cc19c"] : ["#3b6fb6", "#2f9e7d"]
    #expect(colours.corner == ground)
    #expect(colours.share(of: ground) > 10 && colours.share(of: panel) > 10)
    for bar in bars { #expect(colours.share(of: bar) > 0.02, "\(bar)") }
    // The edges of letters have colours of their own.
    #expect(colours.count > 100)
    #expect(!isDark || colours.share(of: "#ffffff") < 1)
  }

  @Test("a page fits each width without scrolling sideways, and each table its panel")
  func widths() async throws {
    let widths = [320, 360, 480, 600, 900, 1000, 1300]
    let attribute = page.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    let frames = widths.map { width in
      "<iframe style=\"width: \(width)px; height: 800px; border: 0\" srcdoc=\"\(attribute)\">"
        + "</iframe>"
    }
    let found = try await browser.result(
      of: """
        <!DOCTYPE html><p id="result"></p>\(frames.joined())<script>
        function measured(page) {
          const tables = [...page.querySelectorAll(".panel > table")];
          const excess = tables.map(table => table.getBoundingClientRect().right
            - table.parentElement.getBoundingClientRect().right);
          return page.scrollWidth + (excess.length > 0 && Math.max(...excess) < 0 ? "" : "!");
        }
        onload = () => result.textContent = [...document.querySelectorAll("iframe")].map(
          frame => measured(frame.contentDocument.documentElement)).join(" ");
        </script>
        """)
    #expect(found == widths.map(String.init).joined(separator: " "))
  }

  @Test("a request would be noticed, and the page's policy would stop it")
  func control() async throws {
    let image = "<img alt=\"\" src=\"http://reports.invalid/x.png\"/>"
    let found = try await browser.open("<!DOCTYPE html><p>\(image)</p>", width: 400)
    #expect(found.requests.contains("http://reports.invalid/x.png"))
    let stopped = try await browser.open(
      page.replacingOccurrences(of: "<main>", with: "<main>" + image), width: 400)
    #expect(!stopped.requests.contains("http://reports.invalid/x.png"))
  }

  /// Keeps a picture for a look at it, in the folder that a variable names.
  private func keep(_ picture: Data, _ name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["APPCORE_TEST_PICTURES"] else { return }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try picture.write(to: URL(filePath: "\(folder)/\(name)"))
  }
}
