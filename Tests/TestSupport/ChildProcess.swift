package import Foundation
import Synchronization

/// A real program, run to its end or killed, with its output kept.
package final class ChildProcess: Sendable {
  package struct Ending: Sendable {
    package let status: Int32
    package let output: String
    package let errors: String
  }

  private let process: Mutex<Process>
  private let folder: TemporaryDirectory
  package let processID: Int32

  /// Starts a program; its output goes to files, so that no full pipe can stop it.
  ///
  /// - Parameters:
  ///   - input: stays open, and empty, until this process ends; `nil` is no input.
  ///   - output: takes standard output in place of the file, for a test of what a reader does.
  ///   - errors: takes standard error likewise.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String], input: Pipe? = nil,
    output: Pipe? = nil, errors: Pipe? = nil
  ) throws {
    folder = try TemporaryDirectory()
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = input ?? FileHandle.nullDevice as Any
    for name in ["out", "err"] { _ = try folder.write("", to: name) }
    let files = try [folder.file("out"), folder.file("err")].map { path in
      try FileHandle(forWritingTo: URL(filePath: path))
    }
    process.standardOutput = output ?? files[0] as Any
    process.standardError = errors ?? files[1] as Any
    try process.run()
    // The program has its own. Foundation keeps these open for as long as this process lives.
    for file in files { try file.close() }
    processID = process.processIdentifier
    self.process = Mutex(process)
  }

  deinit { kill(processID, SIGKILL) }

  package func send(_ signal: Int32) { kill(processID, signal) }

  package var isRunning: Bool { process.withLock { $0.isRunning } }

  package var output: String {
    (try? String(contentsOfFile: folder.file("out"), encoding: .utf8)) ?? ""
  }

  package var errors: String {
    (try? String(contentsOfFile: folder.file("err"), encoding: .utf8)) ?? ""
  }

  /// Waits for the end without blocking other tasks.
  ///
  /// If the waiting test is cancelled because its time is up, kills the program.
  package func ending() async -> Ending {
    await withTaskCancellationHandler {
      await endingInItsTime()
    } onCancel: {
      send(SIGKILL)
    }
  }

  /// Waits for the end, and measures the most memory that was resident, in MiB.
  package func measuredEnding() async -> (ending: Ending, memory: Double) {
    let memory = Task {
      var most = 0.0
      while !Task.isCancelled {
        most = max(most, peakMemory ?? 0)
        try? await Task.sleep(for: .milliseconds(5))
      }
      return most
    }
    let ending = await ending()
    memory.cancel()
    return (ending, await memory.value)
  }

  /// Other than `ru_maxrss`, this does not begin with what the parent process had.
  private var peakMemory: Double? {
    let status = try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let words = line?.split(whereSeparator: \.isWhitespace) ?? []
    return words.count > 1 ? Double(words[1]).map { $0 / 1_024 } : nil
  }

  private func endingInItsTime() async -> Ending {
    await withCheckedContinuation { continuation in
      // A thread of its own: the threads of the global queue are those that tasks run on, and a
      // few waiters would take them all.
      Thread.detachNewThread { [self] in
        while isRunning { usleep(2_000) }
        let status = process.withLock { process in
          process.terminationReason == .exit
            ? process.terminationStatus : 128 + process.terminationStatus
        }
        continuation.resume(returning: Ending(status: status, output: output, errors: errors))
      }
    }
  }

  /// The environment in which a program of the package reports the findings of Thread Sanitizer.
  package static let sanitizerEnvironment = ProcessInfo.processInfo.environment.filter {
    ["PATH", "TSAN_OPTIONS"].contains($0.key)
  }

  /// Finds a program on the path.
  package static func find(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Returns the path of one of the package's own programs, which are built beside the test bundle.
  package static func built(_ name: String) throws -> String {
    let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let places = CommandLine.arguments + [runner]
    for place in places where place.hasPrefix("/") {
      let path =
        URL(filePath: place).deletingLastPathComponent().path(percentEncoded: false) + "/" + name
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw CocoaError(.fileNoSuchFile)
  }
}

extension Pipe {
  /// Returns a pipe that holds a text, at most the 64 KiB of pipe(7), and then ends.
  package static func holding(_ text: String) throws -> Pipe {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    return pipe
  }
}
