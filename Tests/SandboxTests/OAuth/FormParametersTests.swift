import Networking
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct FormParametersTests {
  @Test("escapes and plus signs are undone, empty values count as absent")
  func decoding() throws {
    let form = try FormParameters("a=x+y%2Bz&b=&c&d=%C3%A9=1&")
    #expect(form["a"] == "x y+z")
    #expect(form["b"] == nil)
    #expect(form["c"] == nil)
    #expect(form["d"] == "é=1")
    #expect(form.names == ["a", "b", "c", "d"])
    #expect(form.repeated.isEmpty)
  }

  @Test("repeated names are reported")
  func repeated() throws {
    #expect(try FormParameters("a=1&b=2&a=1").repeated == ["a"])
  }

  @Test(
    "broken escapes and broken UTF-8 are refused", arguments: ["a=%", "a=%4", "a=%zz", "a=%ff"])
  func malformed(text: String) {
    #expect(throws: FormParameters.Malformed.self) { try FormParameters(text) }
  }

  @Test("an escaped text is decoded to itself")
  func roundTrip() {
    let text = "a b+c&d=é/?%"
    #expect(FormEncoding.unescape(FormEncoding.escape(text)) == text)
  }
}
