import Foundation
import Sandbox
import TestSupport

/// Starts a server for one test, which the trait `.cleansUp` stops.
func startSandbox(
  _ configure: (inout SandboxConfiguration) -> Void = { _ in }
) async throws -> (SandboxServer, SandboxCaller) {
  var configuration = SandboxConfiguration()
  configuration.source = .generated(invoices: 12, seed: 7)
  configuration.autoApprove = true
  configure(&configuration)
  let server = try await SandboxServer.start(configuration)
  CleanUp.atEnd { await server.stop() }
  return (server, SandboxCaller(server))
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
