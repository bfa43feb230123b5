import Authentication
import Foundation
import Models
import SecureStore
import Sync
import TestSupport
import Testing

@testable import AppCore

/// The sequence of an account's lists, with syncs that ask no server.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ResourceSequenceTests {
  private struct Refused: Error {}

  private let folder: TemporaryDirectory
  private let core: ApplicationCore

  init() throws {
    folder = try TemporaryDirectory()
    var account = AccountConfiguration(provider: "xero")
    account.clientID = "client"
    var configuration = CoreConfiguration()
    configuration.accounts = ["default": account]
    core = try ApplicationCore(configuration, in: folder)
  }

  @Test("a list that fails stops no other, and only the wanted lists are synced")
  func failure() async throws {
    let outcomes = try await core.syncResources(account: "default") { resource in
      if resource == .invoices { throw Refused() }
      return resource.rawValue
    }
    #expect(
      outcomes.map(\.resource)
        == [.invoices, .creditNotes, .payments, .prepayments, .overpayments, .contacts])
    #expect(throws: Refused.self) { try outcomes[0].result.get() }
    #expect(try outcomes.last?.result.get() == "contacts")
    #expect(outcomes.allSatisfy { !$0.isInterrupted })
    let wanted = try await core.syncResources([.contacts], account: "default") { $0 }
    #expect(wanted.map(\.resource) == [.contacts])
    await #expect(throws: AuthenticationError.self) {
      _ = try await core.syncResources(account: "nobody") { $0 }
    }
  }

  @Test("a list leaves its indexes to the next one of the same kind, and no last list does")
  func indexes() async throws {
    let outcomes = try await core.syncResources(account: "default") { _ in
      // As in the task of a running sync.
      await Task { LeftIndexes.areForNextList }.value
    }
    #expect(
      try outcomes.map { try $0.result.get() } == [true, false, true, true, false, false])
  }

  @Test("a cancellation ends the sequence, and the lists that ended before it stay")
  func cancellation() async throws {
    for isBetween in [true, false] {
      let task = Task { [core] in
        try await core.syncResources(account: "default") { resource in
          // Between the lists, or during the second one, which reports what failed because of it.
          if isBetween || resource == .creditNotes { withUnsafeCurrentTask { $0?.cancel() } }
          if resource == .creditNotes { throw Refused() }
          return resource.rawValue
        }
      }
      let outcomes = try await task.joined
      #expect(outcomes.map(\.isInterrupted) == [false, true])
      #expect(try outcomes.first?.result.get() == "invoices")
    }
  }
}
