import CMalloc

/// How the process manages its memory.
package enum ProcessMemory {
  /// Keeps the process small and its memory cheap; to be called before anything else.
  ///
  /// Large blocks are given back as soon as they are free.
  ///
  /// A sync reads pages of megabytes. The C library learns from the first that is freed to keep
  /// such blocks for later, and makes a heap for every thread (`mallopt(3)`). SQLite counts every
  /// block that it takes, under a lock, for statistics that nobody reads.
  package static func keepSmall() {
    mallopt(M_MMAP_THRESHOLD, 256 << 10)
    // Setting one of them ends the learning of all. With the least of these, a thread that fills
    // and empties its heap asks the system for the same memory again and again: a third of a sync's
    // time.
    mallopt(M_TRIM_THRESHOLD, 1 << 20)
    mallopt(M_TOP_PAD, 256 << 10)
    mallopt(M_ARENA_MAX, 2)
    _ = appcore_sqlite_keep_no_statistics()
  }

  /// Keeps the memory, which holds tokens, from core dumps and from other programs of the same
  /// user.
  ///
  /// Neither the kernel nor a handler such as systemd-coredump writes it down then, and no debugger
  /// can be attached; one that starts the program itself still can. Programs that are started from
  /// here are as others are.
  package static func keepPrivate() {
    _ = appcore_refuse_core_dumps()
  }
}
