import Foundation
import Storage
import TestSupport
import Testing

@testable import Reports

/// A real browser shows a page, and the page asks for nothing else.
@Suite(
  .timeLimit(.minutes(10)), .serialized,
  .enabled(if: ChildProcess.find("chromium") != nil, "chromium is not installed"))
struct BrowserTests {
  /// What the browser drew, and the addresses that the page asked for.
  private func open(
    _ page: String, width: Int, isDark: Bool = false
  ) async throws -> (picture: Data, requests: [String]) {
    let folder = try TemporaryDirectory()
    let browser = try #require(ChildProcess.find("chromium"))
    let ending = try await ChildProcess(
      browser,
      [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        // The browser's own requests, such as those for updates, lead nowhere.
        "--proxy-server=127.0.0.1:9", "--user-data-dir=\(folder.file("profile"))",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
        "--log-net-log=\(folder.file("log"))", "--window-size=\(width),1000",
        "--screenshot=\(folder.file("picture.png"))",
        "file://" + (try folder.write(page, to: "page.html")),
      ], environment: ProcessInfo.processInfo.environment.merging(["HOME": folder.path]) { $1 }
    ).ending()
    #expect(ending.status == 0, "\(ending.errors)")
    let picture = try Data(contentsOf: URL(filePath: folder.file("picture.png")))
    return (picture, try requests(logged: folder.file("log")))
  }

  /// The addresses of requests that have an origin: those of the browser itself have none.
  private func requests(logged path: String) throws -> [String] {
    struct Log: Decodable {
      struct Event: Decodable {
        struct Parameters: Decodable {
          let url: String?
          let initiator: String?
        }
        let params: Parameters?
      }
      let events: [Event]
    }
    let log = try JSONDecoder().decode(Log.self, from: Data(contentsOf: URL(filePath: path)))
    return log.events.compactMap { event in
      guard let initiator = event.params?.initiator, initiator != "not an origin" else {
        return nil
      }
      return event.params?.url
    }
  }

  /// The size that the head of a PNG file states (RFC 2083 section 4.1.1).
  private func size(of picture: Data) throws -> [Int] {
    let bytes = Array(picture.prefix(24))
    try #require(bytes.count == 24 && bytes[1..<4].elementsEqual("PNG".utf8))
    return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test(
    "a page is drawn wide and narrow, light and dark, without a request",
    arguments: [1200, 400])
  func drawn(width: Int) async throws {
    let page = InvoiceReportPage(try SampleReport.whole(), of: try SampleReport.query()).html
    let light = try await open(page, width: width)
    let dark = try await open(page, width: width, isDark: true)
    for (picture, requests) in [light, dark] {
      #expect(requests.isEmpty)
      // Headless, a window can be no narrower than 500 points in some versions.
      #expect(try size(of: picture)[1] == 1000 && picture.count > 10_000)
    }
    #expect(light.picture != dark.picture)
  }

  @Test("a request would be noticed, and the page's policy would stop it")
  func control() async throws {
    let image = "<img alt=\"\" src=\"http://reports.invalid/x.png\"/>"
    let found = try await open("<!DOCTYPE html><p>\(image)</p>", width: 400)
    #expect(found.requests.contains("http://reports.invalid/x.png"))
    let page = InvoiceReportPage(try SampleReport.whole(), of: try SampleReport.query()).html
    let stopped = try await open(
      page.replacingOccurrences(of: "<main>", with: "<main>" + image), width: 400)
    #expect(!stopped.requests.contains("http://reports.invalid/x.png"))
  }
}
