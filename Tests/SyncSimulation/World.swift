import Foundation
import HTTPTypes
import Networking
import Providers
import SyncSupport
import Synchronization

/// Everything outside the program: the servers, the network, the clocks and the user.
final class World: Sendable {
  struct State: Sendable {
    var list: ChangingList
    var tokens: TokenServer
    var random: SeededRandom
    /// In how many of 100 requests something goes wrong; 0 once all is well.
    var trouble: Int
    /// The number of requests that may still find the list changed: a list that grows faster than
    /// it is read is never read to its end.
    var changesLeft = 0
    /// True if the wall clock was set.
    var hasSetClock = false
    /// The events of a seed, for a developer who looks into it.
    var diary: [String] = []
    /// True if the diary is kept: with thousands of seeds, writing it costs more than some of the
    /// work it describes.
    let keepsDiary: Bool
    let reply: XeroReply
    /// The list that is synced.
    let played: any PlayedXeroList.Type

    mutating func note(_ text: @autoclosure () -> String) {
      if keepsDiary { diary.append(text()) }
    }
  }

  /// The fate of a request.
  enum Fate: Sendable {
    case answered(Int, String, retryAfter: Int? = nil, date: String? = nil)
    /// Nothing was sent.
    case notSent
    /// The server may have received it.
    case lost
    /// The program ends here.
    case crash
    /// The caller gives up here.
    case cancel
  }

  let time: SimulatedTime
  let state: Mutex<State>
  let seed: UInt64
  /// The list that is synced.
  let played: any PlayedXeroList.Type

  init(seed: UInt64, keepsDiary: Bool) {
    self.seed = seed
    var other = SeededRandom(seed: seed, part: 8)
    played = other.one(of: [
      XeroInvoices.self, XeroInvoices.self, XeroCreditNotes.self, XeroPayments.self,
    ])
    var random = SeededRandom(seed: seed, part: 5)
    var reply = XeroReply()
    reply.includesInstant = random.chance(50)
    let list = ChangingList(seed: seed, rows: random.below(13), deletion: .marks)
    time = SimulatedTime(startingAt: list.now)
    let tokens = TokenServer(&random)
    state = Mutex(
      State(
        list: list, tokens: tokens, random: random, trouble: random.within(0...45),
        keepsDiary: keepsDiary, reply: reply, played: played))
  }

  /// Ends all faults and edits.
  func calm() { state.withLock { $0.trouble = 0 } }

  func note(_ text: @autoclosure () -> String) { state.withLock { $0.note(text()) } }

  /// Answers a request to the accounting server.
  func fetch(_ request: Request) -> Fate {
    state.withLock { state in
      time.advance(by: .milliseconds(state.random.within(1...2_000)))
      guard state.random.chance(state.trouble) else { return page(request, &state) }
      let fault = state.random.below(14)
      state.note("fetch \(fault)")
      switch fault {
      case 0: return .notSent
      case 1: return .lost
      case 2:
        time.advance(by: .seconds(state.random.within(10...3_000)))
        return page(request, &state)
      case 3:
        // The list has other rows by the request for the next page.
        for _ in 0..<3 { state.list.change() }
        return page(request, &state)
      case 4:
        state.tokens.forgetAccess()
        return .answered(401, "")
      case 5: return .answered(429, "", retryAfter: state.random.within(0...120))
      case 6: return .answered(429, "", retryAfter: 86_400)
      case 7: return .answered(state.random.one(of: [500, 502, 504]), "")
      case 8: return .answered(503, "", retryAfter: state.random.within(1...30))
      case 9:
        // Sent twice by something on the way: the first answer comes.
        defer { state.list.change() }
        return page(request, &state)
      case 10: return .answered(200, "<html>Please sign in to this network</html>")
      case 11:
        let day: TimeInterval = state.random.chance(50) ? 86_400 : -86_400
        time.setWall(by: day * Double(state.random.below(1_000)) / 1_000)
        state.hasSetClock = true
        return page(request, &state)
      case 12: return .cancel
      default: return .crash
      }
    }
  }

  private func page(_ request: Request, _ state: inout State) -> Fate {
    let words = (request.fields[.authorization] ?? "").split(separator: " ")
    guard words.count == 2, state.tokens.accepts(String(words[1]), at: time.uptime) else {
      return .answered(401, "")
    }
    if state.trouble > 0, state.changesLeft > 0, state.random.chance(40) {
      state.changesLeft -= 1
      for _ in 0..<state.random.within(1...3) { state.list.change() }
    }
    if request.url.path().hasSuffix("connections") {
      return .answered(200, XeroReply.organisations)
    }
    return .answered(
      200, state.reply.page(request, of: state.list, as: state.played),
      date: XeroReply.date(of: state.list))
  }

  /// Answers a request to the authorization server.
  func exchange(_ form: String) -> Fate {
    let fields = form.split(separator: "&").map { $0.split(separator: "=") }
    let token = fields.first { $0.first == "refresh_token" }.flatMap { $0.last } ?? ""
    return state.withLock { state in
      time.advance(by: .milliseconds(state.random.within(1...3_000)))
      guard state.random.chance(state.trouble) else { return exchange(token, &state) }
      let fault = state.random.below(13)
      state.note("exchange \(fault)")
      switch fault {
      case 0: return .notSent
      case 1: return .lost
      case 2, 3:
        // The server has acted, but its answer is lost.
        _ = exchange(token, &state)
        return .lost
      case 4: return .answered(503, "", retryAfter: state.random.within(0...30))
      case 5: return .answered(429, "", retryAfter: state.random.within(1...90))
      case 6: return .answered(400, "<html>Bad Request</html>")
      case 7: return .answered(200, "<html>Please sign in to this network</html>")
      case 8:
        _ = exchange(token, &state)
        return .answered(500, "")
      case 9:
        if state.random.chance(50) { _ = exchange(token, &state) }
        return .crash
      case 10:
        time.advance(by: .seconds(state.random.within(1...40)))
        return exchange(token, &state)
      case 11:
        // Sent twice by something on the way, the second time with a token that is spent by then:
        // one of the two answers comes.
        let first = exchange(token, &state)
        time.advance(by: .milliseconds(state.random.within(1...1_000)))
        let second = exchange(token, &state, isCopy: true)
        return state.random.chance(50) ? first : second
      default:
        if state.random.chance(30) { state.tokens.end() }
        return exchange(token, &state)
      }
    }
  }

  private func exchange(
    _ token: Substring, _ state: inout State, isCopy: Bool = false
  ) -> Fate {
    let tokens = state.tokens.exchange(String(token), at: time.uptime, isCopy: isCopy)
    guard let tokens else {
      return .answered(400, #"{"error":"invalid_grant"}"#)
    }
    return .answered(
      200,
      """
      {"access_token":"\(tokens.access)","token_type":"Bearer","expires_in":\(tokens.lifetime),\
      "refresh_token":"\(tokens.refresh)"}
      """)
  }
}
