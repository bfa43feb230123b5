/// One link of a session's chain; it hands the request on to the next one.
///
/// The order, outermost first: the operation's deadline (``DeadlineLink``), ``RetryLink``, the
/// attempt's deadline (``DeadlineLink``), ``AuthorizationLink``, ``RedirectLink``,
/// ``AdmissionLink``, ``TransportLink``. A wait between attempts holds no slot; waiting for
/// credentials and for a slot count against the attempt's deadline.
protocol Link: Sendable {
  func send(_ request: Request) async throws -> Response
}
