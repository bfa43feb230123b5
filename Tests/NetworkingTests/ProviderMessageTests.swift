import HTTPTypes
import Testing

@testable import Networking

/// The server's own words for a request that it refuses.
@Suite(.timeLimit(.minutes(10))) struct ProviderMessageTests {
  private func text(_ body: String, _ fields: HTTPFields = [:]) -> String? {
    ProviderMessage(body: Array(body.utf8), fields: fields)?.text
  }

  @Test(
    "a message is found wherever servers write it",
    arguments: [
      (#"{"message": "unknown filter"}"#, "unknown filter"),
      (#"{"error": {"code": 7, "message": "unknown\n filter"}}"#, "unknown filter"),
      (#"{"errors": [{"detail": "unknown filter"}]}"#, "unknown filter"),
      (#"{"errors": ["unknown filter"]}"#, "unknown filter"),
      (#"{"error": "invalid", "error_description": "unknown filter"}"#, "unknown filter"),
      (#"{"Title": "Forbidden", "Status": 403, "Detail": "unknown filter"}"#, "unknown filter"),
      (#"{"Fault": {"Error": [{"Message": "unknown filter", "code": "3100"}]}}"#, "unknown filter"),
      ("error=invalid&error_description=unknown+filter", "unknown filter"),
      ("error=unknown+filter", "unknown filter"), (#""unknown filter""#, "unknown filter"),
      (#"{"response": {"status": 7, "error": {"message": "unknown filter"}}}"#, "unknown filter"),
      (#"{"data": [{"error": "x"}], "rows": {"description": "x", "title": "y"}}"#, nil),
      (#"{"data": {"message": "x"}}"#, nil), ("<html>", nil), ("", nil), (#"{"message": ""}"#, nil),
      (#"{"error": [[[[["deep"]]]]]}"#, nil), ("no words of a form", nil),
    ])
  func found(body: String, message: String?) {
    #expect(text(body) == message)
  }

  @Test("a message is found in a challenge, with the scope that is missing")
  func challenge() {
    let fields: HTTPFields = [
      .wwwAuthenticate: #"Bearer error="x", error_description="not enough", scope="a b""#
    ]
    #expect(text("<html>", fields) == "not enough (scope: a b)")
    #expect(text(#"{"message": "words"}"#, fields) == "words")
  }

  @Test("a message repeats no token, is one line, and has an end")
  func cleaned() {
    #expect(
      text(#"{"message": "bad token eyJhbGciOiJIUzI1NiJ9.e30 here\u001b[31m\u202e!"}"#)
        == "bad token … here[31m!")
    let long = #"{"message": "\#(String(repeating: "word ", count: 1_000_000))"}"#
    #expect(text(long) == nil)
    #expect(text(String(long.prefix(3_000)) + #""}"#)?.count == 401)
  }

  @Test("a message repeats no credential that was sent, in whatever form it is written")
  func credentials() {
    let sent = SentCredentials(["Basic dXNlcjpwYXNzdw==", "a/key"])
    let body = #"{"message": "for passw, user, dXNlcjpwYXNzdw==, a%2Fkey and pa\u200bssw"}"#
    #expect(
      ProviderMessage(body: Array(body.utf8), removing: sent)?.text == "for …, …, …, … and …")
    #expect(String(reflecting: sent).contains("key") == false)
  }

  @Test("of a body that is too long, only the beginning is searched")
  func bounded() {
    let rows = String(repeating: #"{"id": 1, "message2": "x"}, "#, count: 2_000_000)
    let body = #"{"error": {"message": "unknown filter", "rows": [\#(rows)"#
    #expect(text(body) == "unknown filter")
  }
}
