import Foundation
import TestSupport

/// A real authorization server, Glewlwyd, with a database of its own; see `Tests/Glewlwyd`.
final class GlewlwydServer: Sendable {
  struct Description: Decodable, Sendable {
    struct Client: Decodable, Sendable {
      let id: String
      let secret: String?
    }
    struct Clients: Decodable, Sendable {
      let `public`: Client
      let machine: Client
      let confidential: Client
    }
    let url: String
    let issuer: String
    let user: String
    let password: String
    let clients: Clients
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Glewlwyd").path(percentEncoded: false)

  /// True if Glewlwyd is installed; with `APPCORE_REQUIRE_KEYRING=1` it has to be.
  static let isAvailable =
    ProcessInfo.processInfo.environment["APPCORE_REQUIRE_KEYRING"] == "1"
    || (ChildProcess.find("glewlwyd") != nil && ChildProcess.find("python3") != nil)

  let description: Description
  let redirectPort: Int
  private let process: ChildProcess

  static func start(tokenLifetime: Int = 3_600) async throws -> GlewlwydServer {
    // Redirect URIs match with their port, so a free one is chosen beforehand.
    let port = Int.random(in: 20_000..<30_000)
    let process = try ChildProcess(
      folder + "/serve",
      ["--redirect-port", "\(port)", "--token-lifetime", "\(tokenLifetime)"],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""], input: Pipe())
    try await eventually("Glewlwyd is ready") {
      guard process.isRunning else { throw CocoaError(.executableLoad) }
      return process.output.contains("\n")
    }
    return GlewlwydServer(
      description: try JSONDecoder().decode(Description.self, from: Data(process.output.utf8)),
      redirectPort: port, process: process)
  }

  private init(description: Description, redirectPort: Int, process: ChildProcess) {
    self.description = description
    self.redirectPort = redirectPort
    self.process = process
    CleanUp.atEnd { await self.stop() }
  }

  /// The command line that acts as the user's browser, without the address or the code.
  func approval(isDevice: Bool = false) -> [String] {
    [Self.folder + "/approve"] + (isDevice ? ["--device"] : [])
      + [
        "--base=\(description.url)", "--user=\(description.user)",
        // In one word: a password that begins with a dash would be taken for an option.
        "--password=\(description.password)",
      ]
  }

  func stop() async {
    process.send(SIGTERM)
    _ = await process.ending()
  }
}
