import CMalloc

/// How the process manages its memory.
package enum ProcessMemory {
  /// Keeps the process small: large blocks are given back as soon as they are free.
  ///
  /// A sync reads pages of megabytes. The C library learns from the first that is freed to keep such
  /// blocks for later, and makes a heap for every thread (`mallopt(3)`).
  package static func keepSmall() {
    mallopt(M_MMAP_THRESHOLD, 256 << 10)
    // Setting one of them ends the learning of all. With the least of these, a thread that fills and
    // empties its heap asks the system for the same memory again and again: a third of a sync's time.
    mallopt(M_TRIM_THRESHOLD, 1 << 20)
    mallopt(M_TOP_PAD, 256 << 10)
    mallopt(M_ARENA_MAX, 2)
  }
}
