import AppCore
import Models
import Sync
import Testing

@testable import AppCoreCommands

/// The progress of several accounts as text.
@Suite(.timeLimit(.minutes(5))) struct AccountProgressLineTests {
  @Test("the progress of several accounts counts finished accounts, and fits the terminal")
  func progress() {
    var line = AccountProgressLine(total: 40)
    #expect(line.text(at: .zero) == "0 of 40 accounts")
    line.take(.began(account: "acme"), at: .zero)
    line.take(.began(account: "globex"), at: .zero)
    line.take(
      .progress(
        account: "acme", resource: .invoices,
        .stored(.init(pages: 1, records: 1_200, position: 1_200))), at: .zero)
    #expect(line.text(at: .zero) == "0 of 40 accounts  1 200 records  syncing acme, globex")
    line.take(.finished(AccountSyncResult(account: "acme", outcomes: [])), at: .zero)
    let wait = SyncProgress.Wait(
      reason: .rateLimit, duration: .seconds(30), from: Timestamp(microsecondsSinceEpoch: 0))
    line.take(.progress(account: "globex", resource: .contacts, .waiting(wait)), at: .zero)
    let text = "1 of 40 accounts  1 200 records  1 waiting for a rate limit: 30 s  syncing globex"
    #expect(line.text(at: .zero) == text)
    #expect(line.text(at: .milliseconds(28_500)) == text.replacing("30 s", with: "2 s"))
    #expect(line.text(at: .seconds(31)) == "1 of 40 accounts  1 200 records  syncing globex")
    for columns in 1...90 {
      #expect(line.text(at: .zero, columns: columns).count < max(2, columns))
    }
  }

  @Test("several waits for a rate limit are counted, and a wait for a retry is none")
  func waits() {
    var line = AccountProgressLine(total: 3)
    let now = Timestamp(microsecondsSinceEpoch: 0)
    for (account, reason, seconds) in [
      ("a", SyncProgress.Wait.Reason.rateLimit, 30), ("b", .publishedLimit, 10), ("c", .retry, 60),
    ] {
      let wait = SyncProgress.Wait(reason: reason, duration: .seconds(seconds), from: now)
      line.take(.progress(account: account, resource: .invoices, .waiting(wait)), at: .zero)
    }
    #expect(line.text(at: .seconds(5)) == "0 of 3 accounts  2 waiting for a rate limit")
    #expect(line.text(at: .seconds(20)) == "0 of 3 accounts  1 waiting for a rate limit: 10 s")
    #expect(line.text(at: .seconds(30)) == "0 of 3 accounts")
  }
}
