import Foundation

// appcore-benchmarks NAME…: measures, and prints what it measured beside what it is compared with,
// in one run: machines differ, ratios less so.

let benchmarks: [String: @Sendable () async throws -> Void] = [
  "features": { try await FeatureBenchmark().run() },
  "http": {
    try await HTTPBenchmark().run()
    try await FeatureBenchmark().run()
  },
  "storage": { try await StorageBenchmark().run() },
  "sync": { try await SyncBenchmark().run() },
  "tasks": { try await TaskBenchmark().run() },
  "token": { try await TokenBenchmark().run() },
]

if CommandLine.arguments.dropFirst().first == "sync-once" {
  try await SyncOnce(Array(CommandLine.arguments.dropFirst(2))).run()
  exit(0)
}
let names = Array(CommandLine.arguments.dropFirst())
guard !names.isEmpty, names.allSatisfy({ benchmarks[$0] != nil }) else {
  print("usage: appcore-benchmarks \(benchmarks.keys.sorted().joined(separator: "|"))…")
  exit(64)
}
for name in names { try await benchmarks[name]?() }
