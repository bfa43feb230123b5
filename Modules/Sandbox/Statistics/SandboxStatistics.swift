/// The requests that a sandbox has seen since it started, without those to its own controls.
public struct SandboxStatistics: Sendable, Hashable, Codable {
  /// Token requests by grant type, whatever their answer; those of no known grant are `other`.
  public var tokenRequests: [String: Int]
  /// The number of spent refresh tokens that came back.
  public var refreshReuseDetected: Int
  /// The number of spent authorization codes that came back.
  public var codeReuseDetected: Int
  /// The number of live tokens that were revoked at the revocation endpoint.
  public var revocations: Int
  /// Returns by method and path, then by status; `dropped` where the connection was cut instead.
  ///
  /// The path of a single invoice is counted as `/api.xro/2.0/Invoices/{id}`.
  public var requests: [String: [String: Int]]
  /// The number of requests that a fault was applied to.
  public var faultsApplied: Int
}
