import Foundation
import Glibc

/// What this process holds.
enum ProcessUsage {
  private static let folder = "/proc/self/fd"

  /// How many descriptors are open, the one for looking among them.
  static func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).count
  }

  /// How many of them are sockets.
  static func sockets() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return target?.hasPrefix("socket:") ?? false
    }
  }

  /// Resident memory in bytes.
  static func resident() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
