import Glibc
import SystemSupport

/// A process, distinct from a later one with the same number.
struct ProcessIdentity: Sendable, Codable, Hashable {
  let processID: Int32
  /// The start of the process, in clock ticks since boot (proc(5), field 22 of `stat`).
  let startTime: UInt64

  static let current = ProcessIdentity(
    processID: getpid(), startTime: startTime(of: getpid()) ?? 0)

  /// Identifies the process that currently has this number, or returns `nil` if there is none.
  init?(of processID: Int32) {
    guard let startTime = Self.startTime(of: processID) else { return nil }
    self.init(processID: processID, startTime: startTime)
  }

  private init(processID: Int32, startTime: UInt64) {
    self.processID = processID
    self.startTime = startTime
  }

  /// True while this process exists.
  var isAlive: Bool { Self.startTime(of: processID) == startTime }

  private static func startTime(of processID: Int32) -> UInt64? {
    guard let line = KernelFile.text(at: "/proc/\(processID)/stat"),
      // The program's name is in brackets and may contain anything, so counting begins after it.
      let name = line.lastIndex(of: ")")
    else { return nil }
    let fields = line[name...].dropFirst().split(separator: " ")
    // Z: the process has ended, and its parent has not waited for it yet.
    guard fields.count > 19, fields[0] != "Z" else { return nil }
    return UInt64(fields[19])
  }
}
