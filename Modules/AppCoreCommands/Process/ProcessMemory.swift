import CMalloc

/// How the process manages its memory.
package enum ProcessMemory {
  /// Gives large blocks back as soon as they are free.
  ///
  /// A sync reads pages of megabytes. The C library learns from the first that is freed to keep such
  /// blocks for later (`mallopt(3)`, `M_MMAP_THRESHOLD`), and a small process becomes a large one.
  package static func returnLargeBlocks() {
    mallopt(M_MMAP_THRESHOLD, 256 << 10)
  }
}
