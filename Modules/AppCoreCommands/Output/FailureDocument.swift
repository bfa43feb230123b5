/// A failure as JSON, on standard error.
struct FailureDocument: Encodable {
  private struct Content: Encodable {
    let code: String
    let message: String
    let hint: Nullable<String>
    let retryable: Bool
    let exitCode: Int32
  }

  private let error: Content

  init(code: String, message: String, hint: String?, isRetryable: Bool, status: ExitStatus) {
    error = Content(
      code: code, message: message, hint: Nullable(hint), retryable: isRetryable,
      exitCode: status.rawValue)
  }

  var json: String { JSONText.encode(self) }
}
