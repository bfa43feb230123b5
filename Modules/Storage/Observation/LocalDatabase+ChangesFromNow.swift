extension LocalDatabase {
  /// Returns a stream with an element now, and after each commit by this process or another one.
  ///
  /// A reader who reads the records after each element misses nothing.
  ///
  /// - Throws: ``StorageError``, while the stream is iterated.
  package func changesFromNow() -> AsyncThrowingStream<Void, any Error> {
    following(every: .milliseconds(100)) { _, _, _ in () }
  }
}
