import Networking

/// `--trace-http`: a line on standard error for each request on the wire, when it is over.
enum HTTPTrace {
  static func line(_ exchange: HTTPExchange) -> String {
    printable("http \(exchange.session): \(exchange)")
  }

  static func writer(to console: Console) -> @Sendable (HTTPExchange) -> Void {
    { console.post(line($0)) }
  }
}
