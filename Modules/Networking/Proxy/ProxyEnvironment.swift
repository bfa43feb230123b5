package import Foundation

/// The proxies that environment variables name, as curl and Go read them.
///
/// `https_proxy` is for `https`, `http_proxy` for `http`, `all_proxy` for schemes without a
/// variable of their own, and ``NoProxyList`` parses `no_proxy`. Lower case takes precedence over
/// upper case; an empty variable counts as absent. `HTTP_PROXY` is ignored if `REQUEST_METHOD` is
/// set, because a CGI server creates it from a client's `Proxy` header (httpoxy, CVE-2016-5385).
/// ``Proxy/init(parsing:)`` documents the form of a value.
package struct ProxyEnvironment: Sendable {
  private let proxies: [String: Result<Proxy, SessionError>]
  private let exceptions: NoProxyList

  /// Reads environment variables; a malformed one is an error for the requests that need it.
  package init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    func first(_ names: [String]) -> (name: String, value: String)? {
      for name in names {
        let value = environment[name]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        if !value.isEmpty { return (name, value) }
      }
      return nil
    }
    let isCGI = environment["REQUEST_METHOD"] != nil
    let all = ["all_proxy", "ALL_PROXY"]
    let variables = [
      "http": (isCGI ? ["http_proxy"] : ["http_proxy", "HTTP_PROXY"]) + all,
      "https": ["https_proxy", "HTTPS_PROXY"] + all,
    ]
    proxies = variables.compactMapValues { names in
      first(names).map { name, value in
        Result { () throws(SessionError) in try Proxy(parsing: value) }
          .mapError { $0.naming(name) }
      }
    }
    exceptions = NoProxyList(first(["no_proxy", "NO_PROXY"])?.value ?? "")
  }

  /// Returns the proxy for a URL; `nil` means a direct connection.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` if the variable for this URL cannot be
  ///   used; the reason contains the variable's name and nothing of its value.
  package func proxy(for url: URL) throws(SessionError) -> Proxy? {
    guard let origin = Origin(url), !exceptions.contains(origin) else { return nil }
    return try proxies[origin.scheme]?.get()
  }
}

extension SessionError {
  fileprivate func naming(_ variable: String) -> SessionError {
    guard case .invalidRequest(let reason) = self else { return self }
    return .invalidRequest(reason: "the environment variable \(variable): \(reason)")
  }
}
