import Foundation
import Glibc

// Feeds what reads strangers' bytes with mutations of a corpus; a process of its own, since a trap
// ends it.
//
// fuzz list prints the targets.
// fuzz run TARGET SECONDS SEED CORPUS NOTE runs one for so long.
// fuzz replay TARGET INPUTS SEED CORPUS NOTE reads the whole corpus and mutations, so many in all.
//
// CORPUS is the folder that holds a folder for each target. NOTE is a file that holds the input
// that is being read.

do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  let targets = try FuzzTarget.all()
  if arguments == ["list"] {
    for target in targets { print(target.name) }
    exit(0)
  }
  guard arguments.count == 6, ["run", "replay"].contains(arguments[0]),
    let target = targets.first(where: { $0.name == arguments[1] }),
    let amount = Double(arguments[2]), let seed = UInt64(arguments[3])
  else {
    print("usage: fuzz list | run TARGET SECONDS SEED CORPUS NOTE | replay TARGET INPUTS …")
    exit(64)
  }
  let folder = arguments[4] + "/" + target.name
  let corpus = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
    [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + name)))
  }
  let note = open(arguments[5], O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
  guard note >= 0, !corpus.isEmpty else { throw CocoaError(.fileNoSuchFile) }
  let run = FuzzRun(target: target, corpus: corpus, seed: seed, note: note)
  let isReplay = arguments[0] == "replay"
  let report = try await run.run(
    inputs: isReplay ? Int(amount) : nil, seconds: isReplay ? nil : amount)
  print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
} catch {
  print("\(error)")
  exit(1)
}
