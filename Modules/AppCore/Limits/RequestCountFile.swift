import Dispatch
import FileLocking
import Foundation
import Glibc
import Networking

/// Counts an account's requests in a small file, so that a program that is started every minute does not
/// spend a day's requests unknowingly.
///
/// It says how many were sent in which five minutes, and nothing else. Where it is lost, damaged or cannot
/// be written, counting begins anew: the server has the last word anyway.
struct RequestCountFile: RequestCounts {
  let path: String
  let now: @Sendable () -> Date

  init(path: String, now: @escaping @Sendable () -> Date = { Date() }) {
    self.path = path
    self.now = now
  }

  func add(within limits: [RateLimit]) async -> Duration? {
    await change { table, now in
      let wait = table.wait(within: limits, at: now)
      if wait == nil { table.add(at: now, within: limits) }
      return wait
    }
  }

  func add() async {
    _ = await change { table, now in
      table.add(at: now)
      return nil
    }
  }

  private func change(
    _ body: @escaping @Sendable (inout RequestCountTable, _ now: Int64) -> Duration?
  ) async -> Duration? {
    // Others hold it for a moment only. A request is not refused for want of a lock.
    guard let lock = try? await HeldLock.acquire(at: path + ".lock", timeout: .seconds(1)) else {
      return nil
    }
    defer { lock.release() }
    let (path, now) = (path, Int64(now().timeIntervalSince1970))
    return await withCheckedContinuation { continuation in
      // Disks take too long for the cooperative pool.
      DispatchQueue.global().async {
        let stored = Self.read(path)
        var table = stored ?? RequestCountTable()
        let wait = body(&table, now)
        if table != stored { Self.write(table, to: path) }
        continuation.resume(returning: wait)
      }
    }
  }

  private static func read(_ path: String) -> RequestCountTable? {
    (try? String(contentsOfFile: path, encoding: .utf8)).flatMap(RequestCountTable.init(text:))
  }

  private static func write(_ table: RequestCountTable, to path: String) {
    let new = path + ".new"
    let isWritten = FileManager.default.createFile(
      atPath: new, contents: Data(table.text.utf8), attributes: [.posixPermissions: 0o600])
    if isWritten { _ = rename(new, path) }
  }
}
