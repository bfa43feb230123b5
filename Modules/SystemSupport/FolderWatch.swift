import Dispatch
import Glibc
import Synchronization

/// A subscription to the files of a folder that any process writes, replaces or removes.
///
/// It waits in the kernel (inotify(7)) and costs nothing while nothing changes. All subscriptions
/// of a process share one inotify instance, because a user may have as few as 128 of them.
package final class FolderWatch: Sendable {
  private static let shared = Mutex<FolderEvents?>(nil)

  private let events: FolderEvents
  private let subscription: FolderEvents.Subscription

  /// Starts watching, or returns `nil` if the system has no watch left.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - eachWrite: true to report each write to a file, not only that a program closed it.
  ///   - onChange: called with a file's name, on a queue of its own; with `nil` if the kernel's
  ///     queue overflowed and names were lost.
  package init?(
    folder: String, eachWrite: Bool = false, onChange: @escaping @Sendable (String?) -> Void
  ) {
    // Opening the instance is retried after a failure, since other programs release theirs.
    let events = Self.shared.withLock { shared in
      if shared == nil { shared = FolderEvents() }
      return shared
    }
    guard let events,
      let subscription = events.subscribe(to: folder, eachWrite: eachWrite, onChange)
    else { return nil }
    self.events = events
    self.subscription = subscription
  }

  deinit { events.cancel(subscription) }
}

/// The one inotify instance of a process, which passes each event to the watchers of its folder.
final class FolderEvents: Sendable {
  struct Subscription: Sendable {
    fileprivate let watch: CInt
    fileprivate let number: Int
  }

  private struct State {
    var count = 0
    var handlers: [CInt: [Int: @Sendable (String?) -> Void]] = [:]
  }

  private let descriptor: CInt
  private let state = Mutex(State())
  private let source: Mutex<(any DispatchSourceRead)?>

  /// Opens the instance, or returns `nil` if the user has none left.
  init?() {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    source = Mutex(nil)
    source.withLock { held in
      let queue = DispatchQueue(label: "appcore.folder-watch")
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [weak self] in self?.read() }
      source.setCancelHandler { close(descriptor) }
      source.activate()
      held = source
    }
  }

  deinit { source.withLock { $0?.cancel() } }

  /// Calls `onChange` with each event of a folder until the subscription is cancelled.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - eachWrite: true to report each write, not only the closing of a file that was open for
  ///     writing. Other subscribers to the folder then receive these events too.
  ///   - onChange: called with the name of a file.
  func subscribe(
    to folder: String, eachWrite: Bool, _ onChange: @escaping @Sendable (String?) -> Void
  ) -> Subscription? {
    // What an earlier subscriber asked for stays (IN_MASK_ADD).
    var mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE) | UInt32(IN_MASK_ADD)
    if eachWrite { mask |= UInt32(IN_MODIFY) }
    return state.withLock { state in
      // The kernel returns the same watch for the same folder.
      let watch = inotify_add_watch(descriptor, folder, mask)
      guard watch >= 0 else { return nil }
      state.count += 1
      state.handlers[watch, default: [:]][state.count] = onChange
      return Subscription(watch: watch, number: state.count)
    }
  }

  func cancel(_ subscription: Subscription) {
    state.withLock { state in
      state.handlers[subscription.watch]?[subscription.number] = nil
      guard state.handlers[subscription.watch]?.isEmpty == true else { return }
      state.handlers[subscription.watch] = nil
      inotify_rm_watch(descriptor, subscription.watch)
    }
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      for event in FolderEvent.events(in: bytes[..<count]) { report(event) }
    }
  }

  private func report(_ event: FolderEvent) {
    let handlers: [@Sendable (String?) -> Void] = state.withLock { state in
      switch event {
      case .changed(let watch, _): return state.handlers[watch].map { Array($0.values) } ?? []
      case .overflow: return state.handlers.values.flatMap(\.values)
      case .ended(let watch):
        // The folder was removed, and its watch with it.
        state.handlers[watch] = nil
        return []
      }
    }
    for handler in handlers { handler(event.name) }
  }
}

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
