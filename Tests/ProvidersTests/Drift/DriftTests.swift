import Foundation
import Models
import Providers
import Sync
import SyncSupport
import Testing

/// Rows are edited, made, deleted and made again between pages, and runs break off anywhere.
///
/// A seed that fails is printed; `APPCORE_SEED` runs it alone. `APPCORE_SEEDS` is how many there
/// are for each shape of a list, and `APPCORE_SHAPE` names one to run alone.
@Suite(.timeLimit(DriftSeeds.timeLimit)) struct DriftTests {
  // Edge cases 44, 45, 46 and 50
  @Test("the database equals the server once edits end", arguments: DriftShape.all)
  func drift(shape: DriftShape) async throws {
    let scene = try await DriftScene<DriftFeed, DriftServer>()
    for seed in DriftSeeds.all {
      var random = SeededRandom(seed: seed, part: 4)
      let pageSize = random.within(1...4)
      let feed = DriftFeed(shape: shape, pageSize: pageSize)
      let server = DriftServer(
        shape: shape, seed: seed, rows: random.below(13), pageSize: pageSize)
      let wrong = try await scene.outcome(of: seed, feed: feed, server: server)
      #expect(wrong == nil, "seed \(seed), \(shape)")
    }
    try await scene.stop()
  }

  // Edge cases 44, 45, 46 and 50
  @Test(
    "the database equals a described list once edits end", arguments: RESTDriftShape.all)
  func described(shape: RESTDriftShape) async throws {
    let scene = try await DriftScene<RESTFeed<Invoice>, DriftServer>()
    let url = try #require(URL(string: "http://drift.test"))
    for seed in DriftSeeds.ofDescribed {
      var random = SeededRandom(seed: seed, part: 4)
      let pageSize = shape.style == .none ? 1_000 : random.within(1...4)
      let rows = random.below(13)
      let resource = try shape.resource(&random)
      let description = try RESTDescription(baseURL: url, resources: [resource])
      let feed = RESTFeed(
        Invoice.self, provider: "drift", resource: resource, baseURL: description.baseURL)
      let server = DriftServer(
        shape: shape.list, seed: seed, rows: rows, pageSize: pageSize, promise: shape.promise)
      let wrong = try await scene.outcome(of: seed, feed: feed, server: server)
      #expect(wrong == nil, "seed \(seed), \(shape)")
    }
    try await scene.stop()
  }

  // Edge cases 44 to 46, and 51
  @Test(
    "the database equals Xero's list once edits end",
    arguments: [ChangingList.Deletion.marks, .removes], [1, 4])
  func xero(deletion: ChangingList.Deletion, maxConcurrentPages: Int) async throws {
    let scene = try await DriftScene<XeroFeed<XeroInvoices>, XeroDrift>()
    let url = try #require(URL(string: "http://drift.test"))
    for seed in DriftSeeds.all {
      var random = SeededRandom(seed: seed, part: 4)
      let feed = XeroFeed(
        XeroInvoices.self, baseURL: url, pageSize: random.within(1...4),
        maxConcurrentPages: maxConcurrentPages)
      let server = XeroDrift(seed: seed, rows: random.below(13), deletion: deletion)
      let wrong = try await scene.outcome(of: seed, feed: feed, server: server)
      #expect(wrong == nil, "seed \(seed), \(deletion), \(maxConcurrentPages) at once")
    }
    try await scene.stop()
  }
}

/// The seeds of a run: the same each time, from 1 or from `APPCORE_FIRST_SEED` on.
enum DriftSeeds {
  /// As many as an unoptimized build has time for; 500 is what a proof takes.
  private static let usual: UInt64 = 15
  /// The same of each of the many shapes of described lists.
  private static let usualOfDescribed: UInt64 = 4

  /// The time limit for the seeds of a shape, which run concurrently with those of all others, on a
  /// machine that does other things as well.
  static let timeLimit = TimeLimitTrait.Duration.minutes(max(10, all.count / 10))

  static let all = seeds(usual)
  static let ofDescribed = seeds(usualOfDescribed)

  private static func seeds(_ usual: UInt64) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["APPCORE_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    let count = environment["APPCORE_SEEDS"].flatMap { UInt64($0) } ?? usual
    let first = environment["APPCORE_FIRST_SEED"].flatMap { UInt64($0) } ?? 1
    return Array(first..<(first + max(1, count)))
  }
}
