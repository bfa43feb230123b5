/// Something that runs now, and how it is ended.
struct OperationScope {
  let id: Int
  let resolve: @Sendable (any Error) -> Void
  var cancel: (@Sendable () -> Void)?
  /// Why it was ended.
  var ending: (any Error)?

  func end(with error: any Error) {
    resolve(error)
    cancel?()
  }
}
