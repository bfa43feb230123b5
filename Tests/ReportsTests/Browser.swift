import Foundation
import TestSupport
import Testing

/// A real browser without a window, which reaches no network.
struct Browser {
  /// The result of opening a page.
  struct View {
    /// The picture that the browser drew, as a PNG file.
    let picture: Data
    /// The addresses that the page requested.
    let requests: [String]
  }

  private static let names = ["chromium", "chromium-browser", "google-chrome"]

  /// True if a browser is installed; with `CI=true` it has to be.
  static var isRequired: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true" || program != nil
  }

  private static var program: String? {
    names.lazy.compactMap { ChildProcess.find($0) }.first
  }

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Draws a page in a window.
  func open(
    _ page: String, width: Int, height: Int = 1000, isDark: Bool = false
  ) async throws -> View {
    let (picture, log) = (folder.file("picture.png"), folder.file("log"))
    _ = try await run(
      page,
      [
        "--window-size=\(width),\(height)", "--screenshot=\(picture)", "--log-net-log=\(log)",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
      ])
    return View(
      picture: try Data(contentsOf: URL(filePath: picture)), requests: try requests(logged: log))
  }

  /// Returns the text of the element `result`, which a script of the page has written.
  func result(of page: String) async throws -> String {
    let document = try await run(page, ["--window-size=1400,1000", "--dump-dom"])
    let tail = try #require(document.split(separator: "<p id=\"result\">").last)
    return String(try #require(tail.split(separator: "</p>").first))
  }

  private func run(_ page: String, _ arguments: [String]) async throws -> String {
    let program = try #require(
      Self.program, "no \(Self.names[0]) is installed: Config/scripts/setup test")
    let ending = try await ChildProcess(
      program,
      [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        // The browser's own requests, such as those for updates, lead nowhere.
        "--proxy-server=127.0.0.1:9", "--user-data-dir=\(folder.file("profile"))",
      ] + arguments + ["file://" + (try folder.write(page, to: "page.html"))],
      environment: ProcessInfo.processInfo.environment.merging(["HOME": folder.path]) { $1 }
    ).ending()
    try #require(ending.status == 0, "\(ending.errors)")
    return ending.output
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
}
