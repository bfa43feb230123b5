/// What a sandbox has seen since it started; requests to its own controls are not counted.
public struct SandboxStatistics: Sendable, Hashable, Codable {
  /// Token requests by grant type, whatever their answer; those of no known grant are `other`.
  public var tokenRequests: [String: Int]
  /// How often a spent refresh token came back.
  public var refreshReuseDetected: Int
  /// How often a spent authorization code came back.
  public var codeReuseDetected: Int
  /// How many live tokens were revoked at the revocation endpoint.
  public var revocations: Int
  /// Answers by method and path, then by status; `dropped` where the connection was cut instead.
  ///
  /// The path of a single invoice is counted as `/api.xro/2.0/Invoices/{id}`.
  public var requests: [String: [String: Int]]
  /// How many requests a fault was applied to.
  public var faultsApplied: Int
}
