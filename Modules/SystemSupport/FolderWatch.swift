import Dispatch
import Glibc
import Synchronization

/// A subscription to the files of a folder that any process creates, replaces or removes, and to
/// the writes to some of them.
///
/// It waits in the kernel (inotify(7)) and costs nothing while nothing changes. Writes to any other
/// file of the folder, such as a log, do not wake it. All subscriptions of a process share one
/// inotify instance, because a user may have as few as 128 of them.
package final class FolderWatch: Sendable {
  private static let shared = Mutex<FolderEvents?>(nil)

  private let events: FolderEvents
  private let subscription: FolderEvents.Subscription
  private let files: WrittenFiles

  /// Starts watching, or returns `nil` if the system has no watch left.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - writtenFiles: the names of the files of which each write is reported, whether they exist
  ///     yet or not.
  ///   - onChange: called with a file's name, on a queue of its own; with `nil` if the kernel's
  ///     queue overflowed and names were lost.
  package init?(
    folder: String, writtenFiles: Set<String> = [], onChange: @escaping @Sendable (String?) -> Void
  ) {
    // Opening the instance is retried after a failure, since other programs release theirs.
    let events = Self.shared.withLock { shared in
      if shared == nil { shared = FolderEvents() }
      return shared
    }
    guard let events else { return nil }
    let files = WrittenFiles(writtenFiles, in: folder, events, onChange)
    let subscription = events.subscribe(to: folder, FolderEvents.ofNames) { name in
      files.watch(name)
      onChange(name)
    }
    guard let subscription else { return nil }
    files.watch(nil)
    self.events = events
    self.subscription = subscription
    self.files = files
  }

  deinit {
    events.cancel(subscription)
    files.cancel()
  }
}

/// The files of a folder of which each write is reported.
///
/// The kernel watches a file itself, not its name, so each new file of a name is watched again.
private final class WrittenFiles: Sendable {
  private let names: Set<String>
  private let folder: String
  private let events: FolderEvents
  private let onChange: @Sendable (String?) -> Void
  /// The subscriptions by name; `nil` once they are cancelled.
  private let subscriptions = Mutex<[String: FolderEvents.Subscription]?>([:])

  init(
    _ names: Set<String>, in folder: String, _ events: FolderEvents,
    _ onChange: @escaping @Sendable (String?) -> Void
  ) {
    (self.names, self.folder, self.events, self.onChange) = (names, folder, events, onChange)
  }

  /// Watches the file that has this name now; with `nil` all of them.
  func watch(_ changed: String?) {
    for name in names where changed == nil || changed == name {
      subscriptions.withLock { subscriptions in
        guard subscriptions != nil else { return }
        let earlier = subscriptions?[name]
        // The new one comes first, or the kernel's watch of the same file would end.
        subscriptions?[name] = events.subscribe(
          to: folder + "/" + name, FolderEvents.ofWrites
        ) { [onChange] _ in onChange(name) }
        if let earlier { events.cancel(earlier) }
      }
    }
  }

  func cancel() {
    let all = subscriptions.withLock { $0.take() }
    for subscription in (all ?? [:]).values { events.cancel(subscription) }
  }
}

/// The one inotify instance of a process, which passes each event to the watchers of its folder or
/// file.
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

  /// The events of names in a folder; a file that is replaced gets its name when it is complete.
  static let ofNames = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE)
  static let ofWrites = UInt32(IN_MODIFY)

  /// Calls `onChange` with each event of a folder, or of a file, until the subscription is
  /// cancelled.
  ///
  /// - Parameter onChange: called with the name of a file in the folder; with an empty one for an
  ///   event of a file.
  func subscribe(
    to path: String, _ mask: UInt32, _ onChange: @escaping @Sendable (String?) -> Void
  ) -> Subscription? {
    state.withLock { state in
      // The kernel returns the same watch for the same folder or file.
      let watch = inotify_add_watch(descriptor, path, mask)
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
        // The folder or file was removed, and its watch with it.
        state.handlers[watch] = nil
        return []
      }
    }
    for handler in handlers { handler(event.name) }
  }
}

/// One event of inotify(7).
enum FolderEvent: Equatable {
  /// A file of a watched folder was created, replaced or removed, or a watched file was written.
  case changed(watch: CInt, name: String)
  /// The kernel's queue overflowed; events of any watch were lost.
  case overflow
  /// The kernel removed a watch, by itself or on request.
  case ended(watch: CInt)

  /// The name of the file in its folder; `nil` if the kernel lost it.
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
