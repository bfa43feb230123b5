import Dispatch
import Glibc
import Synchronization

/// The one inotify instance of a process, which passes each event to the watchers of its folder.
final class FolderEvents: Sendable {
  struct Subscription: Sendable {
    fileprivate let watch: CInt
    fileprivate let number: Int
  }

  private struct State {
    var count = 0
    /// The subscribers, by the kernel's watch of their folder.
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
