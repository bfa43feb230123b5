import Foundation
import TestSupport
import Testing

/// The descriptors and the memory that thousands of requests leave, most of which fail in some way.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SoakTests {
  private struct Report: Decodable {
    struct Usage: Decodable {
      let before: Int
      let after: Int
    }

    let endings: [String: Int]
    let faults: [String]
    let descriptors: Usage
    let sockets: Usage
    let resident: [Int]
    let bytesPerRequest: Double
    let seconds: Double
  }

  private static let requests = 10_000

  // A process of its own: the descriptors of this one are those of all tests.
  @Test("after 10 000 requests and their cancellations no descriptor and no memory is kept")
  func soak() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let probe = try ChildProcess(
      try ChildProcess.built("networking-probe"), ["soak", "\(Self.requests)", "\(seed)"],
      environment: ChildProcess.sanitizerEnvironment)
    let ending = await probe.ending()
    try #require(ending.status == 0, "\(ending.output) \(ending.errors), seed \(seed)")
    let report = try JSONDecoder().decode(Report.self, from: Data(ending.output.utf8))
    print("soak:", ending.output)
    #expect(report.faults.isEmpty, "seed \(seed)")
    #expect(report.endings.values.reduce(0, +) == Self.requests, "seed \(seed)")
    #expect(report.descriptors.before == report.descriptors.after, "seed \(seed)")
    #expect(report.sockets.before == report.sockets.after, "seed \(seed)")
    try #require(report.resident.count == Self.requests / 1_000)
    let growth = report.resident[9] - report.resident[4]
    #expect(growth < 8 << 20, "\(report.resident), seed \(seed)")
  }
}
