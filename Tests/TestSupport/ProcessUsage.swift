import Foundation
import Glibc

/// The descriptors and the memory of this process.
package enum ProcessUsage {
  private static let folder = "/proc/self/fd"

  /// Returns the number of open descriptors without pipes, since a sanitizer opens two pipes to its
  /// symbolizer at any time.
  package static func descriptors() throws -> Int {
    try targets().count { !$0.hasPrefix("pipe:") }
  }

  /// Returns the number of open sockets.
  package static func sockets() throws -> Int {
    try targets().count { $0.hasPrefix("socket:") }
  }

  /// Returns the targets of all descriptors but that of the folder itself, which is closed by then.
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
