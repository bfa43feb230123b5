import Foundation
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(10))) struct NoProxyListTests {
  private func contains(_ list: String, _ url: String) throws -> Bool {
    let url = try #require(URL(string: url))
    return NoProxyList(list).contains(try #require(Origin(url)))
  }

  @Test(
    "a host in the list is reached directly",
    arguments: [
      ("*", "https://any.example/"), ("a, *", "https://any.example/"), ("*", "http://[fd00::1]/"),
      ("example.com", "https://example.com/"),
      ("example.com", "https://api.example.com/"),
      ("example.com", "https://a.b.example.com:8443/"),
      (".example.com", "https://example.com/"),
      (".example.com", "https://api.example.com/"),
      ("*.example.com", "https://api.example.com/"),
      ("EXAMPLE.com", "https://Api.Example.COM/"),
      ("example.com.", "https://example.com/"),
      ("example.com", "https://example.com./"),
      (".example.com.", "https://api.example.com../"),
      ("com", "https://example.com/"),
      ("a.example,b.example", "https://b.example/"),
      ("a.example b.example", "https://b.example/"),
      (" ,, a.example ,\tb.example\n", "https://b.example/"),
      ("example.com:443", "https://example.com/"),
      ("example.com:443", "http://api.example.com:443/"),
      (".example.com:80", "http://api.example.com/"),
      ("example.com:", "https://example.com:9/"),
      ("192.0.2.1", "http://192.0.2.1:81/"),
      ("192.0.2.1:81", "http://192.0.2.1:81/"),
      ("192.0.2.1", "http://[::ffff:192.0.2.1]/"),
      ("::ffff:192.0.2.1", "http://192.0.2.1/"),
      ("2001:db8::1", "http://[2001:db8:0:0::1]:81/"),
      ("[2001:DB8::1]", "http://[2001:db8::1]/"),
      ("[2001:db8::1]:81", "http://[2001:db8::1]:81/"),
      ("10.0.0.0/8", "http://10.255.255.255/"),
      ("10.1.2.3/8", "http://10.0.0.0/"),
      ("192.0.2.0/25", "http://192.0.2.127/"),
      ("192.0.2.130/31", "http://192.0.2.131/"),
      ("192.0.2.7/32", "http://192.0.2.7/"),
      ("0.0.0.0/0", "http://203.0.113.9/"),
      ("fd00::/8", "http://[fdff:ffff::1]/"),
      ("2001:db8::/33", "http://[2001:db8:7fff::1]/"),
      ("2001:db8::1/128", "http://[2001:db8::1]/"),
      ("::/0", "http://[2001:db8::1]/"),
      ("::ffff:10.0.0.0/104", "http://10.9.9.9/"),
      ("", "http://localhost:8080/"), ("", "https://LOCALHOST./"), ("", "http://127.0.0.1/"),
      ("", "http://127.255.255.255/"), ("", "http://[::1]:8080/"),
      ("", "http://[::ffff:127.0.0.1]/"),
    ])
  func direct(list: String, url: String) throws {
    #expect(try contains(list, url))
  }

  @Test(
    "a host that only resembles an entry is reached through the proxy",
    arguments: [
      ("", "https://example.com/"), (" , ", "https://example.com/"), (".", "https://example.com/"),
      ("example.com", "https://notexample.com/"),
      (".example.com", "https://notexample.com/"),
      ("example.com", "https://example.com.evil.example/"),
      ("api.example.com", "https://example.com/"),
      ("example", "https://example.com/"),
      ("exam*", "https://example.com/"),
      ("example.com:80", "https://example.com/"),
      ("example.com:443", "https://example.com:8443/"),
      ("example.com:https", "https://example.com/"),
      ("example.com:0443", "https://example.com:444/"),
      ("example.com:443x", "https://example.com/"),
      ("https://example.com", "https://example.com/"),
      ("192.0.2.1:80", "http://192.0.2.1:81/"),
      ("192.0.2.1", "http://192.0.2.10/"),
      ("0.2.1", "http://192.0.2.1/"),
      (".2.1", "http://192.0.2.1/"),
      ("192.0.2.1", "http://192.0.2.1.example/"),
      ("[2001:db8::1]:80", "http://[2001:db8::1]:81/"),
      ("2001:db8::1", "http://[2001:db8::2]/"),
      ("10.0.0.0/8", "http://11.0.0.0/"),
      ("10.0.0.0/8", "http://9.255.255.255/"),
      ("10.0.0.0/8", "http://10.example/"),
      ("192.0.2.0/25", "http://192.0.2.128/"),
      ("192.0.2.130/31", "http://192.0.2.132/"),
      ("192.0.2.7/32", "http://192.0.2.6/"),
      ("192.0.2.7/33", "http://192.0.2.7/"),
      ("192.0.2.7/", "http://192.0.2.7/"),
      ("192.0.2.7/-1", "http://192.0.2.7/"),
      ("192.0.2.7/+8", "http://192.0.2.7/"),
      ("192.0.2/24", "http://192.0.2.7/"),
      ("0.0.0.0/0", "http://[2001:db8::1]/"),
      ("::/0", "http://192.0.2.1/"),
      ("fd00::/8", "http://[fe00::1]/"),
      ("2001:db8::/33", "http://[2001:db8:8000::1]/"),
      ("2001:db8::/129", "http://[2001:db8::]/"),
      ("", "http://localhost.example/"), ("", "http://128.0.0.1/"), ("", "http://126.0.0.1/"),
      ("", "http://[::2]/"), ("", "http://127.0.0.1.example/"), ("", "http://notlocalhost/"),
    ])
  func proxied(list: String, url: String) throws {
    #expect(try contains(list, url) == false)
  }
}
