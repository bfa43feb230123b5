import Foundation
import Storage
import Synchronization

// Sync, sign-in and store together in a world in which requests are lost, repeated, late and
// refused, clocks are set, and programs crash; on a clock of its own and without a network.
//
// sync-simulation --seeds N --first S runs so many seeds from S on. What is wrong is printed with
// its seed; a single seed is printed with all that went on.

var (count, first) = (1_000, UInt64(1))
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  guard let value = words.popFirst().flatMap({ UInt64($0) }) else { usage() }
  switch word {
  case "--seeds": count = Int(clamping: value)
  case "--first": first = value
  default: usage()
  }
}

func usage() -> Never {
  print("usage: sync-simulation [--seeds N] [--first S]")
  exit(64)
}

do {
  let campaign = Campaign(seeds: first..<(first + UInt64(count)))
  let failed = try await campaign.run()
  print("simulation: \(count) seeds from \(first), \(failed) failed")
  exit(failed == 0 ? 0 : 1)
} catch {
  print("simulation: \(error)")
  exit(2)
}
