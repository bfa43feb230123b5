extension Task where Failure == any Error {
  /// The value, waited for as by a child task: where the waiting test is cancelled, since its time
  /// is up, the task is cancelled too.
  ///
  /// Waiting for `value` would not end before the task does, which may be never.
  package var joined: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}

extension Task where Failure == Never {
  /// The value, waited for as by a child task: where the waiting test is cancelled, since its time
  /// is up, the task is cancelled too.
  package var joined: Success {
    get async {
      await withTaskCancellationHandler {
        await value
      } onCancel: {
        cancel()
      }
    }
  }
}
