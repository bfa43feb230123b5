import Foundation
import GRDBSQLite

/// A description of the machine, without which figures say little.
enum Machine {
  static func describe() {
    let system = line(of: "/etc/os-release", after: "PRETTY_NAME=")?.filter { $0 != "\"" }
    let processor = line(of: "/proc/cpuinfo", after: "model name")?
      .trimmingPrefix { ":\t ".contains($0) }
    let memory = ProcessInfo.processInfo.physicalMemory / (1 << 30)
    var load = [0.0]
    getloadavg(&load, 1)
    print(
      """
      \(processor.map { String($0) } ?? "unknown processor"), \
      \(ProcessInfo.processInfo.activeProcessorCount) cores, \(memory) GiB; \(system ?? "Linux"), \
      kernel \(text(of: "/proc/sys/kernel/osrelease") ?? "unknown"); \
      SQLite \(String(cString: sqlite3_libversion())). \
      \(Date().formatted(.iso8601.year().month().day())), load average \(load[0].digits(2)).
      """)
    fflush(nil)
  }

  private static func line(of file: String, after key: String) -> String? {
    text(of: file)?.split(separator: "\n").first { $0.hasPrefix(key) }
      .map { String($0.dropFirst(key.count)) }
  }

  private static func text(of file: String) -> String? {
    (try? String(contentsOfFile: file, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
