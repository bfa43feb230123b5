import Foundation
import TestSupport

/// The program itself when nothing has changed: its start, the keyring, the database, one request.
struct ProgramBenchmark {
  private struct Report: Decodable {
    let result: String
    let inserted: Int
    let unchanged: Int
    let requests: Int
  }

  private let clock = ContinuousClock()
  private let keyring: PrivateKeyring
  private let program: String

  /// Signs in to a real keyring with a token, and fills a database from a server that takes any.
  static func start(_ url: String, invoices: Int) async throws -> ProgramBenchmark {
    let keyring = try await PrivateKeyring.start()
    do {
      return try await signedIn(keyring, url, invoices)
    } catch {
      keyring.stop()
      throw error
    }
  }

  private static func signedIn(
    _ keyring: PrivateKeyring, _ url: String, _ invoices: Int
  ) async throws -> ProgramBenchmark {
    _ = try keyring.home.write(
      """
      accounts: { default: { clientID: bench } }
      providers: { xero: { baseURL: "\(url)" } }
      """, to: "config.yaml")
    let benchmark = ProgramBenchmark(keyring: keyring, program: try ChildProcess.built("appcore"))
    let input = Pipe()
    let login = try benchmark.child(["login", "--token-stdin"], input: input)
    input.fileHandleForWriting.write(Data("token".utf8))
    try input.fileHandleForWriting.close()
    let ending = await login.ending()
    guard ending.status == 0 else {
      print(ending.errors)
      throw WrongAnswer()
    }
    guard try await benchmark.sync().report.inserted == invoices else { throw WrongAnswer() }
    return benchmark
  }

  private init(keyring: PrivateKeyring, program: String) {
    self.keyring = keyring
    self.program = program
  }

  /// Returns the seconds that a run takes if it finds nothing new; the median of nine.
  func incremental() async throws -> Double {
    defer { keyring.stop() }
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
    let start = clock.now
    let ending = try await child(["sync", "invoices", "--json"]).ending()
    let seconds = (clock.now - start) / .seconds(1)
    guard ending.status == 0 else {
      print(ending.errors)
      throw WrongAnswer()
    }
    return (try JSONDecoder().decode(Report.self, from: Data(ending.output.utf8)), seconds)
  }

  private func child(_ arguments: [String], input: Pipe? = nil) throws -> ChildProcess {
    var environment = keyring.environment
    environment["APPCORE_CONFIG"] = keyring.home.file("config.yaml")
    return try ChildProcess(program, arguments, environment: environment, input: input)
  }
}
