import Testing

@testable import Sync

/// The server's own words for a request that it rejects.
@Suite(.timeLimit(.minutes(10))) struct ServerMessageTests {
  @Test(
    "a message is found wherever servers write it",
    arguments: [
      (#"{"message": "unknown filter"}"#, "unknown filter"),
      (#"{"error": {"code": 7, "message": "unknown\n filter"}}"#, "unknown filter"),
      (#"{"errors": [{"detail": "unknown filter"}]}"#, "unknown filter"),
      (#"{"errors": ["unknown filter"]}"#, "unknown filter"),
      (#"{"error": "invalid", "error_description": "unknown filter"}"#, "unknown filter"),
      (#"{"data": {"message": "x"}}"#, nil), ("<html>", nil), ("", nil), (#"{"message": ""}"#, nil),
      (#"{"error": [[[[["deep"]]]]]}"#, nil),
    ])
  func found(body: String, message: String?) {
    #expect(ServerMessages.message(in: Array(body.utf8)) == message)
  }

  @Test("a message repeats no token, is one line, and has an end")
  func cleaned() {
    let echo = #"{"message": "bad token eyJhbGciOiJIUzI1NiJ9.e30 here\u001b[31m"}"#
    #expect(ServerMessages.message(in: Array(echo.utf8)) == "bad token … here[31m")
    let long = #"{"message": "\#(String(repeating: "word ", count: 100))"}"#
    #expect(ServerMessages.message(in: Array(long.utf8))?.count == 201)
  }
}
