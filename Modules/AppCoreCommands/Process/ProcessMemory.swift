import CProcess
import Glibc
package import Sync
import Synchronization
import SystemSupport

/// Settings for the memory of the process.
package enum ProcessMemory {
  /// Keeps the process small and its allocations cheap; call it before anything else.
  ///
  /// Large blocks return to the system as soon as they are free.
  ///
  /// A sync reads pages of several megabytes. By default, the C library keeps such blocks for reuse
  /// once the first one was freed, and makes a heap for every thread (`mallopt(3)`). SQLite by
  /// default counts every block that it allocates, under a lock, for statistics that nobody reads.
  package static func keepSmall() {
    mallopt(M_MMAP_THRESHOLD, 256 << 10)
    // Setting one of these parameters stops the C library from adjusting any of them. With the
    // smallest values, a thread that fills and empties its heap requests the same memory from the
    // system again and again, which took a third of a sync's time.
    mallopt(M_TRIM_THRESHOLD, 1 << 20)
    mallopt(M_TOP_PAD, 256 << 10)
    mallopt(M_ARENA_MAX, 2)
    _ = appcore_sqlite_keep_no_statistics()
    noteCode()
  }

  /// Returns memory to the system that a sync no longer needs.
  package static func release(after progress: SyncProgress) {
    switch progress {
    // The run is long, and goes on without most of the code of its beginning.
    case .stored(let position) where position.pages == 4: returnCode()
    // The pages that were read are as much as the search index needs now. Free memory also lies
    // between blocks in use.
    case .indexing: malloc_trim(0)
    default: break
    }
  }

  /// The mappings when the program starts, as the kernel lists them.
  ///
  /// The program and the libraries that it is linked with stay where they are until it ends; those
  /// that come later may go.
  private static let mappings = Mutex<[UInt8]>([])

  /// Notes what is mapped; a start is too short for reading more of it.
  static func noteCode() {
    mappings.withLock { $0 = KernelFile.bytes(at: "/proc/self/maps") ?? [] }
  }

  /// Returns the code that is in memory; what is needed is mapped again.
  ///
  /// The files have it all, unless a debugger has changed it for its breakpoints.
  private static func returnCode() {
    guard KernelFile.text(at: "/proc/self/status")?.contains("TracerPid:\t0\n") == true else {
      return
    }
    // Such as `5581f0a6c000-5581f29a4000 r-xp 0010b000 fe:00 1311      /usr/bin/appcore`.
    let lines = String(decoding: mappings.withLock(\.self), as: UTF8.self).split(separator: "\n")
    for line in lines where line.contains("/") {
      let fields = line.split(separator: " ", maxSplits: 2)
      let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard fields.count == 3, fields[1] == "r-xp", bounds.count == 2 else { continue }
      madvise(
        UnsafeMutableRawPointer(bitPattern: bounds[0]), Int(bounds[1] - bounds[0]), MADV_DONTNEED)
    }
  }

  /// Keeps the memory, which holds tokens, out of core dumps and away from other programs of the
  /// same user.
  ///
  /// Neither the kernel nor a handler such as systemd-coredump then writes a core dump, and no
  /// debugger can attach; a debugger that starts the program itself still works. Programs that
  /// appcore starts are not affected.
  package static func keepPrivate() {
    _ = appcore_refuse_core_dumps()
  }
}
