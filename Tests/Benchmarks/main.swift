import Foundation

// appcore-benchmarks NAME…: measures, and prints what it measured beside what it is compared with,
// in one run: machines differ, ratios less so.

let benchmarks: [String: @Sendable () async throws -> Void] = [
  "accounts": { try await AccountsBenchmark().run() },
  "books": {
    var benchmark = try BooksBenchmark()
    try await benchmark.run()
  },
  "documents": { try await DocumentBenchmark().run() },
  "exports": {
    var benchmark = ExportBenchmark()
    try await benchmark.run()
  },
  "features": { try await FeatureBenchmark().run() },
  "http": {
    try await HTTPBenchmark().run()
    try await FeatureBenchmark().run()
  },
  "json": { try await JSONBenchmark().run() },
  "storage": { try await StorageBenchmark().run() },
  "sync": {
    var benchmark = SyncBenchmark()
    try await benchmark.run()
  },
  "tasks": { try await TaskBenchmark().run() },
  "token": { try await TokenBenchmark().run() },
]

let names = Array(CommandLine.arguments.dropFirst())
do {
  if names.first == "sync-once" {
    try await SyncOnce(Array(names.dropFirst())).run()
    exit(0)
  }
  if names.first == "serve" {
    // For a profiler: the sample pages, until this process is ended.
    let server = try await SampleServer.start(
      [(.xero, 100), (.xero, 250), (.plain, 250)],
      invoices: names.dropFirst().first.flatMap { Int($0) } ?? 100_000)
    print(server.url)
    fflush(nil)
    try await Task.sleep(for: .seconds(86_400))
    await server.stop()
  }
  if names.first == "machine" {
    Machine.describe()
    exit(0)
  }
  guard !names.isEmpty, names.allSatisfy({ benchmarks[$0] != nil }) else {
    print("usage: appcore-benchmarks \(benchmarks.keys.sorted().joined(separator: "|"))…")
    exit(64)
  }
  for name in names { try await benchmarks[name]?() }
} catch {
  print("failed: \(error)")
  exit(1)
}
