/// Something that runs now, and how it is ended.
struct OperationScope {
  let id: Int
  let resolve: @Sendable (any Error) -> Void
  var task: Task<Void, Never>?
  /// Why it was ended.
  var ending: (any Error)?

  func end(with error: any Error) {
    resolve(error)
    task?.cancel()
  }
}
