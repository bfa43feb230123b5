/// The request limits that a sandbox enforces, as Xero does.
public struct SandboxLimits: Sendable, Hashable {
  /// The number of requests for an organisation in a minute.
  public var perMinute = 60
  /// The number of concurrent requests for an organisation.
  public var concurrent = 5
  /// The number of requests for all organisations together in a minute.
  public var perMinuteOfAll = 10_000

  /// Creates the limits that Xero publishes.
  public init() {}
}
