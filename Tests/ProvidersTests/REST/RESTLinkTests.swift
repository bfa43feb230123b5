import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

@Suite(.timeLimit(.minutes(10))) struct RESTLinkTests {
  @Test(
    "the next page is found among links of any order and writing",
    arguments: [
      (#"<https://a.example/?page=2>; rel="next""#, "https://a.example/?page=2"),
      (#"</p1>; rel="prev", </p3>; rel=next"#, "/p3"),
      (#"</p3>; title="a, b; c"; rel="last next""#, "/p3"),
      (#"</p3>;REL="NEXT""#, "/p3"),
      (#"</p1>; rel="prev"; rel="next""#, nil),
      (#"</a,b>; rel="first""#, nil),
      ("", nil), ("<", nil), ("rel=next", nil), ("<x>", nil), (#"<x>; rel="next"#, "x"),
    ] as [(String, String?)])
  func next(field: String, target: String?) {
    #expect(RESTLink.next(in: field) == target)
  }
}
