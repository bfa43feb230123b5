import Foundation
import Glibc

/// What this process holds.
package enum ProcessUsage {
  private static let folder = "/proc/self/fd"

  /// How many descriptors are open, but for pipes: a sanitizer opens two to whom it asks for the
  /// names of functions, when it likes.
  package static func descriptors() throws -> Int {
    try targets().count { !$0.hasPrefix("pipe:") }
  }

  /// How many of them are sockets.
  package static func sockets() throws -> Int {
    try targets().count { $0.hasPrefix("socket:") }
  }

  /// What the descriptors lead to; that of the folder itself is gone when it is asked for.
  private static func targets() throws -> [String] {
    let manager = FileManager.default
    return try manager.contentsOfDirectory(atPath: folder).compactMap {
      try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
  }

  /// Resident memory in bytes.
  package static func resident() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
