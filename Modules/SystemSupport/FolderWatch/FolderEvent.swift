import Glibc

/// One event of inotify(7).
enum FolderEvent: Equatable {
  /// A file of a watched folder was written, replaced or removed.
  case changed(watch: CInt, name: String)
  /// The kernel's queue overflowed; events of any watch were lost.
  case overflow
  /// The kernel removed a watch, by itself or on request.
  case ended(watch: CInt)

  /// The name of the file; `nil` if the kernel lost it.
  var name: String? {
    if case .changed(_, let name) = self { name } else { nil }
  }

  /// Reads `struct inotify_event`: watch, mask, cookie and length, four bytes each, then the name.
  static func events(in bytes: ArraySlice<UInt8>) -> [FolderEvent] {
    func number(at index: Int) -> UInt32 {
      bytes[index..<(index + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    var events: [FolderEvent] = []
    var index = bytes.startIndex
    while index + 16 <= bytes.endIndex {
      let end = index + 16 + Int(number(at: index + 12))
      guard end <= bytes.endIndex else { break }
      let watch = CInt(bitPattern: number(at: index))
      let mask = number(at: index + 4)
      if mask & UInt32(IN_Q_OVERFLOW) != 0 {
        events.append(.overflow)
      } else if mask & UInt32(IN_IGNORED) != 0 {
        events.append(.ended(watch: watch))
      } else {
        let name = String(decoding: bytes[(index + 16)..<end].prefix { $0 != 0 }, as: UTF8.self)
        events.append(.changed(watch: watch, name: name))
      }
      index = end
    }
    return events
  }
}
