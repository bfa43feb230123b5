import Networking

/// The output of `--trace-http`: one line on standard error for each finished HTTP request.
enum HTTPTrace {
  static func line(_ exchange: HTTPExchange) -> String {
    printable("http \(exchange.session): \(exchange)")
  }

  static func writer(to console: Console) -> @Sendable (HTTPExchange) -> Void {
    { console.post(line($0)) }
  }
}
