/// The requests that a sandbox has received since it started, without those to its own controls.
public struct SandboxStatistics: Sendable, Hashable, Codable {
  /// The token requests by grant type, whatever the response; `other` for unknown grant types.
  public var tokenRequests: [String: Int]
  /// The number of spent refresh tokens that were sent again.
  public var refreshReuseDetected: Int
  /// The number of spent authorization codes that were sent again.
  public var codeReuseDetected: Int
  /// The number of live tokens that were revoked at the revocation endpoint.
  public var revocations: Int
  /// The responses by method and path, then by status; `dropped` if the connection was closed
  /// instead.
  ///
  /// The path of a single invoice counts as `/api.xro/2.0/Invoices/{id}`.
  public var requests: [String: [String: Int]]
  /// The requests for each organisation, by its identifier.
  public var organisations: [String: Organisation]
  /// The largest number of requests for all organisations together in any minute.
  public var mostPerMinute: Int
  /// The number of requests to which a fault was applied.
  public var faultsApplied: Int

  /// The requests for one organisation.
  public struct Organisation: Sendable, Hashable, Codable {
    /// The number of requests, refused ones included.
    public var requests = 0
    /// The number of requests that exceeded a limit; each was answered with 429.
    public var refused = 0
    /// The largest number of requests that were answered at the same time.
    public var mostConcurrent = 0
    /// The largest number of requests in any minute.
    public var mostPerMinute = 0
  }
}
