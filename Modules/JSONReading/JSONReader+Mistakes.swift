extension JSONReader {
  /// What to throw where the value that was read last is sound JSON but not what is needed, such as a
  /// currency that nobody knows.
  ///
  /// Thrown while a row is read, it costs that row alone; see `readRows(identifier:into:_:)`.
  public func mistake(_ what: String) -> JSONError {
    JSONError(reason: .unexpected(what), offset: position)
  }
}
