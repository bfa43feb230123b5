import Foundation

// A process of its own, for tests of what belongs to a whole process.
//
// networking-probe soak REQUESTS SEED sends so many requests through two sessions, ends many of
// them in every way, and prints what became of them, of the descriptors and of the memory.
//
// networking-probe dns cancel|connect ADDRESS holds UDP port 53 of an address without ever
// answering, sends a request to a name, and prints how it ended, and when. The system has to be
// told before that the address is its name server.
//
// networking-probe download URL PATH downloads into a file, and prints how much memory that took.

do {
  let arguments = CommandLine.arguments.dropFirst()
  switch (arguments.first, arguments.dropFirst().first, arguments.dropFirst(2).first) {
  case ("soak", let requests?, let seed?):
    guard let requests = Int(requests), let seed = UInt64(seed) else { exit(64) }
    try printJSON(try await Soak(requests: requests, seed: seed).run())
  case ("dns", let mode?, let address?):
    guard let mode = SilentNameServer.Mode(rawValue: mode) else { exit(64) }
    try printJSON(try await SilentNameServer(address: address).ask(mode))
  case ("download", let url?, let path?):
    try printJSON(try await LargeDownload(url: url, path: path).run())
  default:
    print(
      "usage: networking-probe soak REQUESTS SEED | dns cancel|connect ADDRESS | download URL PATH")
    exit(64)
  }
} catch {
  print("\(error)")
  exit(1)
}

func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  print(String(decoding: try encoder.encode(value), as: UTF8.self))
}
