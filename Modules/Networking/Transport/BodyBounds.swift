/// The part of a body that is read as a whole.
///
/// Only the beginning of an error is read: it is shown to people, and a server, or a stranger
/// before it, may send as much as a page of records.
struct BodyBounds {
  /// The largest part of an error that is kept, in bytes.
  private static let error = 1 << 20

  /// The largest body that is allowed, in bytes.
  let limit: Int
  /// The number of bytes that are kept.
  let kept: Int

  /// - Parameter status: the status of the response; 200 until it has arrived.
  init(limit: Int, status: UInt = 200) {
    self.limit = limit
    kept = status < 400 ? limit : min(limit, Self.error)
  }

  /// True if a larger body is cut short; otherwise it is refused.
  var isCut: Bool { kept < limit }

  /// Returns the memory to reserve; only up to a limit, because a server can announce any length.
  func capacity(announced: Int) -> Int { max(0, min(announced, kept, 4 << 20)) }
}
