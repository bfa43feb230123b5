/// The choices of a caller, which may be those of an older or newer header.
enum CStructure {
  /// Returns a copy of a structure; members that the caller's header lacks are zero.
  ///
  /// The first member of each is its size by the caller's header.
  ///
  /// - Parameter empty: a structure whose members are all zero.
  /// - Throws: ``Misuse/badArgument(message:)`` if the size is not set.
  static func copy<Value: BitwiseCopyable>(
    _ pointer: UnsafePointer<Value>?, empty: Value
  ) throws -> Value {
    guard let pointer else { return empty }
    let bytes = UnsafeRawPointer(pointer)
    let size = bytes.loadUnaligned(as: Int.self)
    guard size >= MemoryLayout<Int>.size else {
      throw Misuse.badArgument(message: "size of the structure is not set")
    }
    var copy = empty
    withUnsafeMutableBytes(of: &copy) { target in
      target.copyMemory(
        from: UnsafeRawBufferPointer(start: bytes, count: min(size, target.count)))
    }
    return copy
  }
}
