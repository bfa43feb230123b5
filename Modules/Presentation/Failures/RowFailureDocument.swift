package import Sync

/// A record that could not be read: which, where and why.
package struct RowFailureDocument: Encodable {
  package let id: Nullable<String>
  package let path: String
  package let reason: String

  package init(_ failure: RowFailure) {
    id = Nullable(failure.id)
    path = failure.path
    reason = failure.reason
  }
}
