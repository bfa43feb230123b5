import Foundation
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(10))) struct ProxyEnvironmentTests {
  private func proxy(_ environment: [String: String], _ url: String) throws -> String? {
    let proxy = try ProxyEnvironment(environment).proxy(for: try #require(URL(string: url)))
    return proxy.map { "\($0.host) \($0.port)" }
  }

  @Test(
    "the variable of the scheme goes first, lower case before upper case, all_proxy last",
    arguments: [
      (["https_proxy": "a:1"], "https://x.example/", "a 1"),
      (["https_proxy": "a:1"], "http://x.example/", nil),
      (["http_proxy": "a:1"], "http://x.example/", "a 1"),
      (["http_proxy": "a:1"], "https://x.example/", nil),
      (["HTTPS_PROXY": "b:2"], "https://x.example/", "b 2"),
      (["HTTPS_PROXY": "b:2", "https_proxy": "a:1"], "HTTPS://x.example/", "a 1"),
      (["HTTP_PROXY": "b:2"], "http://x.example/", "b 2"),
      (["HTTP_PROXY": "b:2", "http_proxy": "a:1"], "http://x.example/", "a 1"),
      (["all_proxy": "c:3"], "https://x.example/", "c 3"),
      (["ALL_PROXY": "c:3"], "http://x.example/", "c 3"),
      (["all_proxy": "c:3", "ALL_PROXY": "d:4"], "http://x.example/", "c 3"),
      (["all_proxy": "c:3", "HTTPS_PROXY": "b:2"], "https://x.example/", "b 2"),
      (["all_proxy": "c:3", "HTTPS_PROXY": "b:2"], "http://x.example/", "c 3"),
      (["https_proxy": ""], "https://x.example/", nil),
      (["https_proxy": " \n"], "https://x.example/", nil),
      (["https_proxy": "", "HTTPS_PROXY": "b:2"], "https://x.example/", "b 2"),
      (["https_proxy": "", "all_proxy": "c:3"], "https://x.example/", "c 3"),
      (["https_proxy": " a:1\n"], "https://x.example/", "a 1"),
      (["HTTP_PROXY": "b:2", "REQUEST_METHOD": "GET"], "http://x.example/", nil),
      (["HTTP_PROXY": "b:2", "REQUEST_METHOD": ""], "http://x.example/", nil),
      (
        ["HTTP_PROXY": "b:2", "all_proxy": "c:3", "REQUEST_METHOD": "GET"], "http://x.example/",
        "c 3"
      ),
      (["http_proxy": "a:1", "REQUEST_METHOD": "GET"], "http://x.example/", "a 1"),
      (["HTTPS_PROXY": "b:2", "REQUEST_METHOD": "GET"], "https://x.example/", "b 2"),
      (["all_proxy": "c:3"], "ftp://x.example/", nil),
      ([:], "https://x.example/", nil),
    ] as [([String: String], String, String?)])
  func variables(environment: [String: String], url: String, expected: String?) throws {
    #expect(try proxy(environment, url) == expected)
  }

  @Test(
    "a proxy is read with and without scheme, user and port",
    arguments: [
      ("proxy.example", "proxy.example 80 -"),
      ("proxy.example:3128", "proxy.example 3128 -"),
      ("http://proxy.example", "proxy.example 80 -"),
      ("HTTP://Proxy.Example:3128/", "proxy.example 3128 -"),
      ("http://proxy.example:", "proxy.example 80 -"),
      ("http://192.0.2.1:65535", "192.0.2.1 65535 -"),
      ("[2001:db8::1]:8080", "2001:db8::1 8080 -"),
      ("http://[::1]/", "::1 80 -"),
      ("my_proxy-1", "my_proxy-1 80 -"),
      ("http://ada:pw@proxy.example:1", "proxy.example 1 ada/pw"),
      ("ada:pw@[::1]:1", "::1 1 ada/pw"),
      ("http://ada@proxy.example", "proxy.example 80 ada/"),
      ("http://:pw@proxy.example", "proxy.example 80 /pw"),
      ("http://@proxy.example", "proxy.example 80 -"),
      ("http://a%40b:p%3Aw%2F%25@proxy.example", "proxy.example 80 a@b/p:w/%"),
      ("http://ada:p:w@proxy.example", "proxy.example 80 ada/p:w"),
      ("http://ada:p@w@proxy.example", "proxy.example 80 ada/p@w"),
      ("http://%C3%A4da:pw@proxy.example", "proxy.example 80 äda/pw"),
    ])
  func parsing(text: String, expected: String) throws {
    let proxy = try Proxy(parsing: text)
    let credentials = proxy.credentials.map { "\($0.user)/\($0.password)" } ?? "-"
    #expect("\(proxy.host) \(proxy.port) \(credentials)" == expected)
  }

  @Test(
    "an unusable proxy is an error that names the variable and nothing of the value",
    arguments: [
      ("https://ada:hunter2@proxy.example", "not supported"),
      ("socks5://ada:hunter2@proxy.example:1080", "SOCKS"),
      ("socks5h://hunter2", "SOCKS"),
      ("SOCKS4://hunter2", "SOCKS"),
      ("ftp://hunter2", "http://"),
      ("ada:hunter2://x@proxy.example", "http://"),
      ("://hunter2", "http://"),
      ("http://", "host:port"),
      ("http:///", "host:port"),
      ("http://ada:hunter2@", "host:port"),
      ("http://ada:hunter2@:3128", "host:port"),
      ("http://ada:hunter2", "host:port"),
      ("hunter2:0", "host:port"),
      ("hunter2:65536", "host:port"),
      ("hunter2:+80", "host:port"),
      ("hunter2:80:80", "host:port"),
      ("http://hunter2 x", "host:port"),
      ("http://hunter2%41", "host:port"),
      ("2001:db8::1", "brackets"),
      ("2001:db8::1:3128", "brackets"),
      ("[hunter2]:80", "host:port"),
      ("[192.0.2.1]:80", "host:port"),
      ("[::1", "host:port"),
      ("[::1]80", "host:port"),
      ("http://proxy.example/hunter2", "path"),
      ("http://ada:hunter2/x@proxy.example", "%2F"),
      ("http://ada:hunter2#x@proxy.example", "%23"),
      ("http://ada:hunter2?x@proxy.example", "%3F"),
      ("http://ada:hunter2%@proxy.example", "%25"),
      ("http://ada:hunter2%zz@proxy.example", "%25"),
      ("http://ada:hunter2%0A@proxy.example", "control"),
      ("http://a%3Ab:hunter2@proxy.example", "colon"),
    ])
  func malformed(text: String, hint: String) {
    #expect {
      _ = try proxy(["HTTPS_PROXY": text], "https://x.example/")
    } throws: { error in
      guard case .invalidRequest(let reason)? = error as? SessionError else { return false }
      return reason.contains("HTTPS_PROXY") && reason.contains(hint) && !reason.contains("hunter2")
        && !reason.contains("proxy.example")
    }
  }

  @Test(
    "an unusable proxy fails only the requests that would need it",
    arguments: [
      (["all_proxy": "socks5://a", "https_proxy": "b:2"], "https://x.example/", "b 2"),
      (["http_proxy": "socks5://a"], "https://x.example/", nil),
      (["all_proxy": "socks5://a"], "http://localhost:8080/", nil),
      (["all_proxy": "socks5://a", "no_proxy": "x.example"], "https://x.example/", nil),
    ] as [([String: String], String, String?)])
  func unusedError(environment: [String: String], url: String, expected: String?) throws {
    #expect(try proxy(environment, url) == expected)
  }

  @Test(
    "no_proxy is read in lower case first",
    arguments: [
      (["no_proxy": "x.example"], true), (["NO_PROXY": "x.example"], true),
      (["no_proxy": "y.example", "NO_PROXY": "x.example"], false),
      (["no_proxy": "", "NO_PROXY": "x.example"], true), ([:], false),
    ] as [([String: String], Bool)])
  func noProxyVariable(environment: [String: String], isDirect: Bool) throws {
    let all = environment.merging(["all_proxy": "a:1"]) { first, _ in first }
    #expect((try proxy(all, "https://x.example/") == nil) == isDirect)
  }
}
