import ErrorCodes
import Sync

/// The failures of a command as one JSON object.
struct FailureDocument: Encodable {
  private struct Content: Encodable {
    let code: String
    let message: String
    let hint: Nullable<String>
    let providerMessage: String?
    let retryable: Bool
    let exitCode: Int32
    let account: String?
    let resource: String?
    /// The first records that could not be read.
    let records: [RowFailureDocument]?

    init(_ failure: Failure, _ interruption: Int32?) {
      code = failure.code.rawValue
      message = failure.message
      hint = Nullable(failure.hint)
      providerMessage = failure.providerMessage
      retryable = failure.isRetryable
      let isInterrupted = failure.status == .interrupted
      exitCode = (isInterrupted ? interruption : nil) ?? failure.status.rawValue
      account = failure.account
      resource = failure.resource
      records = failure.records.isEmpty ? nil : failure.records.map(RowFailureDocument.init)
    }
  }

  private let schemaVersion = 1
  /// The failure that decides the exit code.
  private let error: Content
  /// All failures in the order in which they occurred; absent if the only one concerns the whole
  /// command.
  private let errors: [Content]?

  /// - Parameter interruption: the exit code of the signal that interrupted the command.
  init(_ failures: Failures, _ interruption: Int32?) {
    error = Content(failures.first, interruption)
    let all = failures.all
    let isOfPart = failures.first.resource != nil || failures.first.account != nil
    errors = all.count > 1 || isOfPart ? all.map { Content($0, interruption) } : nil
  }
}
