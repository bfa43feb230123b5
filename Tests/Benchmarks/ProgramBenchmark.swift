import Foundation
import TestSupport

/// The program itself when nothing has changed: its start, the keyring, the database, one request.
struct ProgramBenchmark {
  private struct Report: Decodable {
    let result: String
    let inserted: Int
    let requests: Int
  }

  private let program: SignedInProgram

  /// Fills a database from a server.
  static func start(_ url: String, invoices: Int) async throws -> ProgramBenchmark {
    let benchmark = ProgramBenchmark(program: try await SignedInProgram.start(url))
    do {
      guard try await benchmark.sync().report.inserted == invoices else { throw WrongAnswer() }
    } catch {
      benchmark.program.stop()
      throw error
    }
    return benchmark
  }

  /// Returns the seconds that a run takes if it finds nothing new; the median of nine.
  func incremental() async throws -> Double {
    defer { program.stop() }
    var times: [Double] = []
    for _ in 0..<9 {
      let (report, seconds) = try await sync()
      guard report.result == "complete", report.requests == 1, report.inserted == 0 else {
        throw WrongAnswer()
      }
      times.append(seconds)
    }
    return times.median
  }

  private func sync() async throws -> (report: Report, seconds: Double) {
    let run = try await program.run(["sync", "invoices", "--json"])
    return (try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)), run.seconds)
  }
}
