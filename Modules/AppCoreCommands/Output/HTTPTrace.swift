import Networking

/// `--trace-http`: a line on standard error for each request on the wire, when it is over.
enum HTTPTrace {
  static func line(_ exchange: HTTPExchange) -> String {
    printable("http \(exchange.session): \(exchange)")
  }

  @Sendable static func write(_ exchange: HTTPExchange) {
    Terminal.tell(line(exchange))
  }
}
