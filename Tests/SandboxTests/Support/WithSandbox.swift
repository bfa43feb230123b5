import Foundation
import Sandbox

/// Runs a test against a server of its own, which is stopped whatever the test does.
func withSandbox(
  _ configure: (inout SandboxConfiguration) -> Void = { _ in },
  _ test: (SandboxServer, SandboxCaller) async throws -> Void
) async throws {
  var configuration = SandboxConfiguration()
  configuration.source = .generated(invoices: 12, seed: 7)
  configuration.autoApprove = true
  configure(&configuration)
  let server = try await SandboxServer.start(configuration)
  do {
    try await test(server, SandboxCaller(server))
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// The real tables for the tests, if they are installed.
enum RealTables {
  /// `APPCORE_TEST_DATA`, or `shared/data` beside the package.
  static let directory: String? = {
    let root = ProcessInfo.processInfo.environment["APPCORE_TEST_DATA"] ?? "../shared/data"
    let path = root + "/xero"
    return FileManager.default.fileExists(atPath: path + "/xero_invoice_data.csv") ? path : nil
  }()
}

/// A directory for one test's files, removed with the test.
func withTemporaryDirectory(_ test: (String) async throws -> Void) async throws {
  let url = FileManager.default.temporaryDirectory.appending(path: "sandbox-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  do {
    try await test(url.path(percentEncoded: false))
  } catch {
    try FileManager.default.removeItem(at: url)
    throw error
  }
  try FileManager.default.removeItem(at: url)
}
