import Models
import Testing

@Suite(.timeLimit(.minutes(10))) struct DisplayTextTests {
  @Test(
    "characters that steer a terminal, reorder a line or hide in it are replaced",
    arguments: [
      "\u{0}", "\u{7}", "\u{1B}", "\n", "\r", "\t", "\u{7F}", "\u{85}", "\u{9B}", "\u{AD}",
      "\u{61C}", "\u{200B}", "\u{200E}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202E}",
      "\u{2066}", "\u{2069}", "\u{FEFF}", "\u{E000}", "\u{378}", "\u{E0041}", "\u{10FFFF}",
    ])
  func replaced(scalar: Unicode.Scalar) {
    #expect("a\(scalar)b".sanitizedForDisplay() == "a\u{FFFD}b")
  }

  @Test(
    "ordinary text stays as it is",
    arguments: [
      "", "Plain 1.00 €", "Ångström & Søn", "株式会社", "حساب", "👩‍👩‍👧", "नी\u{200C}य", "e\u{301}",
    ])
  func kept(text: String) {
    #expect(text.sanitizedForDisplay() == text)
    #expect(text.sanitizedForDisplay(keepingLines: true) == text)
  }

  @Test("line ends stay in text that may have several lines, and no other control characters do")
  func lines() {
    #expect(
      "a\nb\r\nc\u{2028}d".sanitizedForDisplay(keepingLines: true) == "a\nb\u{FFFD}\nc\u{FFFD}d")
    #expect("a\nb".sanitizedForDisplay() == "a\u{FFFD}b")
  }
}
