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
