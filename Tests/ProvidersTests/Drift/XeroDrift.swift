import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Sync
import SyncSupport

/// One of Xero's lists, which people edit while it is read.
struct XeroDrift<List: PlayedXeroList>: DriftingServer {
  static var resource: Resource { List.resource }

  private let unrest: Int
  var unrestLeft = 0
  var requestsLeft: Int?
  var isCalm = false
  private(set) var list: ChangingList
  private let deletion: ChangingList.Deletion
  private let breaksRows: Bool
  private var reply = XeroReply()
  private var random: SeededRandom

  init(seed: UInt64, rows: Int, deletion: ChangingList.Deletion) {
    random = SeededRandom(seed: seed, part: 2)
    unrest = random.below(80)
    self.deletion = deletion
    list = ChangingList(seed: seed, rows: rows, deletion: deletion)
    reply.includesInstant = random.chance(50)
    reply.hasPagination = random.chance(75)
    reply.namesBroken = random.chance(75)
    breaksRows = random.chance(30)
  }

  static func record(of row: ChangingList.Row) throws -> List.Record { try List.record(of: row) }

  mutating func change(times: Int) {
    for _ in 0..<times { list.change() }
    guard breaksRows else { return }
    // A row becomes unreadable, and may become readable again without a change.
    reply.broken = list.rows.isEmpty || random.chance(50) ? [] : Set([random.one(of: list.rows).id])
  }

  func promise(_ random: inout SeededRandom) -> [SyncOptions] {
    var options = SyncOptions()
    options.maximumDeletedPercent = 100
    if deletion == .removes {
      if random.chance(50) { options.isFull = true } else { options.verifies = true }
    }
    return [options]
  }

  mutating func answer(_ request: Request) throws -> (HTTPResponse, String) {
    if unrestLeft > 0, random.chance(unrest) {
      unrestLeft -= 1
      change(times: random.within(1...3))
    }
    if isCalm { reply.broken = [] }
    if let left = requestsLeft {
      guard left > 0 else { throw Dropped() }
      requestsLeft = left - 1
    }
    var head = HTTPResponse(status: .ok)
    head.headerFields[.date] = XeroReply.date(of: list)
    if request.url.path().hasSuffix("connections") { return (head, XeroReply.organisations) }
    return (head, reply.page(request, of: list, as: List.self))
  }
}
