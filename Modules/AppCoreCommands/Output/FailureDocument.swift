import Sync

/// What made a command fail as JSON, on standard error: one object, whatever came together.
struct FailureDocument: Encodable {
  private struct Content: Encodable {
    let code: String
    let message: String
    let hint: Nullable<String>
    let retryable: Bool
    let exitCode: Int32
    let resource: String?
    /// The first of the records that could not be read.
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

  /// The one that decides how the command ends.
  private let error: Content
  /// All of them, in the order in which they came; left out where there is one that is about the
  /// whole command.
  private let errors: [Content]?

  init(_ failures: Failures) {
    error = Content(failures.first)
    let all = failures.all
    errors = all.count > 1 || failures.first.resource != nil ? all.map(Content.init) : nil
  }
}
