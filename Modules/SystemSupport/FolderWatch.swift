import Dispatch
import Glibc
import Synchronization

/// Tells which files of a folder were written or replaced, by any process, as it happens.
///
/// It waits in the kernel (inotify(7)) and costs nothing while nothing changes.
package final class FolderWatch: Sendable {
  private let source: Mutex<(any DispatchSourceRead)?>

  /// Starts watching, or answers `nil` where the system has no watch to give.
  ///
  /// - Parameter onChange: called with a file's name, on a queue of its own; with `nil` where so
  ///   much happened that some names were lost.
  package init?(folder: String, onChange: @escaping @Sendable (String?) -> Void) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE)
    guard inotify_add_watch(descriptor, folder, mask) >= 0 else {
      close(descriptor)
      return nil
    }
    let queue = DispatchQueue(label: "appcore.folder-watch")
    source = Mutex(nil)
    source.withLock { held in
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { Self.read(descriptor, onChange) }
      source.setCancelHandler { close(descriptor) }
      source.activate()
      held = source
    }
  }

  deinit { source.withLock { $0?.cancel() } }

  private static func read(_ descriptor: CInt, _ onChange: (String?) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      for name in names(in: bytes[..<count]) { onChange(name) }
    }
  }

  /// Reads `struct inotify_event`: watch, mask, cookie and length, four bytes each, then the name.
  private static func names(in bytes: ArraySlice<UInt8>) -> [String?] {
    func number(at index: Int) -> UInt32 {
      bytes[index..<(index + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    var names: [String?] = []
    var index = bytes.startIndex
    while index + 16 <= bytes.endIndex {
      let end = index + 16 + Int(number(at: index + 12))
      guard end <= bytes.endIndex else { break }
      if number(at: index + 4) & UInt32(IN_Q_OVERFLOW) != 0 {
        names.append(nil)
      } else {
        names.append(
          String(decoding: bytes[(index + 16)..<end].prefix { $0 != 0 }, as: UTF8.self))
      }
      index = end
    }
    return names
  }
}
