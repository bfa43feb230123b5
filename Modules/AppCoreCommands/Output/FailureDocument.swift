import Sync

/// The failures of a command as one JSON object for standard error.
struct FailureDocument: Encodable {
  private struct Content: Encodable {
    let code: String
    let message: String
    let hint: Nullable<String>
    let retryable: Bool
    let exitCode: Int32
    let resource: String?
    /// The first records that could not be read.
    let records: [Record]?

    init(_ failure: Failure) {
      code = failure.code
      message = failure.message
      hint = Nullable(failure.hint)
      retryable = failure.isRetryable
      exitCode = failure.status.rawValue
      resource = failure.resource
      records = failure.records.isEmpty ? nil : failure.records.map(Record.init)
    }
  }

  private struct Record: Encodable {
    let id: Nullable<String>
    let path: String
    let reason: String

    init(_ failure: RowFailure) {
      id = Nullable(failure.id)
      path = failure.path
      reason = failure.reason
    }
  }

  /// The failure that decides the exit code.
  private let error: Content
  /// All failures in the order in which they occurred; absent if the only one concerns the whole
  /// command.
  private let errors: [Content]?

  init(_ failures: Failures) {
    error = Content(failures.first)
    let all = failures.all
    errors = all.count > 1 || failures.first.resource != nil ? all.map(Content.init) : nil
  }
}
