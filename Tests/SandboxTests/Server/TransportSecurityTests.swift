import Foundation
import TestSupport
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct TransportSecurityTests {
  private static let hasTools = ["openssl", "curl"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
  }

  /// Runs a program and answers its exit code.
  private func run(_ program: String, _ arguments: [String]) async throws -> Int32 {
    try await ChildProcess("/usr/bin/" + program, arguments, environment: [:]).ending().status
  }

  // Edge case 56
  @Test(
    "a server with a certificate serves HTTPS only to clients that trust it",
    .enabled(if: hasTools, "openssl or curl is missing"))
  func selfSigned() async throws {
    try await withTemporaryDirectory { directory in
      let (certificate, key) = (directory + "/certificate.pem", directory + "/key.pem")
      let made = try await run(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-days", "2", "-subj", "/CN=sandbox", "-addext", "subjectAltName=IP:127.0.0.1",
          "-keyout", key, "-out", certificate,
        ])
      try #require(made == 0)
      let (server, _) = try await startSandbox {
        $0.certificate = ServerCertificate(certificateFile: certificate, keyFile: key)
      }
      #expect(server.url.scheme == "https")
      let url = server.url.absoluteString + "/_sandbox/stats"
      let trusting = ["--noproxy", "*", "-sf", "--cacert", certificate, url]
      let curl = try await run("curl", trusting)
      #expect(curl == 0)
      // curl's exit code 60: the peer's certificate cannot be authenticated.
      let wary = try await run("curl", ["--noproxy", "*", "-sf", url])
      #expect(wary == 60)
    }
  }

  @Test("a certificate that cannot be read is named")
  func unreadable() async throws {
    var configuration = SandboxConfiguration()
    configuration.certificate = ServerCertificate(certificateFile: "/none.pem", keyFile: "/none")
    let error = await #expect(throws: SandboxError.self) {
      try await SandboxServer.start(configuration)
    }
    guard case .unreadableFile("/none.pem", _, _) = error else {
      Issue.record("not unreadableFile")
      return
    }
  }
}
