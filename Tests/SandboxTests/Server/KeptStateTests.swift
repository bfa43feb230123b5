import Foundation
import HTTPTypes
import Sandbox
import TestSupport
import Testing

/// A server that keeps its state in a file, and the next one that continues with it.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct KeptStateTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func start(
    _ configure: (inout SandboxConfiguration) -> Void = { _ in }
  ) async throws -> (SandboxServer, SandboxCaller) {
    try await startSandbox {
      $0.stateFile = folder.file("state.json")
      configure(&$0)
    }
  }

  @Test("the next server has the port, the logins, the clients and the invoices of the one before")
  func continued() async throws {
    let (first, caller) = try await start()
    let tokens = try await caller.signIn()
    for change in ["change?count=3&seed=7", "void?count=2", "delete?count=1", "add?count=2"] {
      let reply = try await caller.send(.post, "/_sandbox/invoices/" + change)
      #expect(reply.status == 200)
    }
    let invoices = first.invoices()
    await first.stop()

    let (second, next) = try await start()
    #expect(second.url == first.url && next.machineSecret == caller.machineSecret)
    #expect(second.invoices() == invoices)
    #expect(try await next.invoices(token: tokens.accessToken).status == 200)
    let renewed = try Tokens(try await next.refresh(tokens.refreshToken))
    _ = try await next.send(.post, "/_sandbox/invoices/restore?count=1")
    #expect(second.invoices() != invoices)
    let changed = second.invoices()
    await second.stop()

    let (third, last) = try await start()
    #expect(third.invoices() == changed)
    #expect(try await last.refresh(tokens.refreshToken).status == 400)
    #expect(await third.statistics().refreshReuseDetected == 1)
    #expect(try await last.invoices(token: renewed.accessToken).status == 401)
  }

  @Test("a configured port takes the place of the kept one, and other users cannot read the file")
  func port() async throws {
    let (first, _) = try await start()
    let (other, _) = try await startSandbox()
    let free = try #require(other.url.port)
    await first.stop()
    await other.stop()
    let (second, _) = try await start { $0.port = free }
    #expect(second.url == other.url)
    let file = folder.file("state.json")
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("a file that is no state of a sandbox is refused and stays as it is")
  func refused() async throws {
    let file = try folder.write("{}", to: "state.json")
    await #expect(throws: SandboxError.self) { _ = try await start() }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{}")
  }
}
