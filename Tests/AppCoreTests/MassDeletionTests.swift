import Authentication
import Foundation
import Models
import SecureStore
import Storage
import Sync
import TestSupport
import Testing

@testable import AppCore

/// The user's limit on what one run may delete.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct MassDeletionTests {
  private static func list(_ ids: Range<Int>) -> String {
    "[" + ids.map { #"{"id":"\#($0)","total":"1"}"# }.joined(separator: ",") + "]"
  }

  /// Syncs a list of twelve, and then what is left of it; both without options.
  private func deletions(percent: Int?, left: Int) async throws -> Int {
    let server = try ScriptedServer([.body(Self.list(0..<12)), .body(Self.list(0..<left))])
    let folder = try TemporaryDirectory()
    let yaml = """
      \(percent.map { "sync: { maximumDeletedPercent: \($0) }" } ?? "")
      accounts: { default: { provider: acme } }
      providers:
        acme:
          kind: rest
          baseURL: \(server.url)/v1
          resources:
            invoices:
              path: /invoices
              rows: .
              fields:
                { id: id, type: { value: invoice }, status: { value: open },
                  currency: { value: EUR }, total: total }
      """
    let core = try ApplicationCore(CoreConfiguration(yaml: yaml), in: folder)
    let tokens = try #require(TokenSet(pasted: "key"))
    _ = try await core.authenticator.signIn("default", with: .tokens(tokens))
    let sync = try await core.sync(.invoices, account: "default")
    #expect(try await sync.run().counts.inserted == 12)
    return try await sync.run().counts.deleted
  }

  @Test(
    "a sync without options deletes what the configuration allows",
    arguments: [(nil, 8, 4), (100, 1, 11)] as [(Int?, Int, Int)])
  func allowed(percent: Int?, left: Int, deleted: Int) async throws {
    #expect(try await deletions(percent: percent, left: left) == deleted)
  }

  @Test(
    "a sync without options refuses to delete more than the configuration allows",
    arguments: [(nil, 1), (0, 11), (0, 8)] as [(Int?, Int)])
  func refused(percent: Int?, left: Int) async throws {
    await #expect {
      try await deletions(percent: percent, left: left)
    } throws: { error in
      if case SyncError.massDeletion = error { true } else { false }
    }
  }
}
