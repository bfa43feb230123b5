import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(1))) struct DisplayWidthTests {
  @Test(
    "a text takes as many cells as a terminal gives it",
    arguments: [
      ("abc", 3), ("", 0), ("Żółw", 4), ("e\u{301}", 1), ("株式会社サンプル", 16), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("ﾊﾝｶｸ", 4), ("ＡＢ", 4), ("😀", 2), ("👨‍👩‍👧", 2), ("🇵🇱", 2),
      ("👍🏽", 2), ("❤️", 2), ("❤", 1), ("☕", 2), ("…", 1), ("—", 1), ("مرحبا", 5), ("a\u{200D}b", 2),
      ("क्षि", 3), ("𠮷", 2), ("€", 1), ("█", 1), ("1", 1), ("©", 1),
    ])
  func widths(text: String, width: Int) {
    #expect(DisplayWidth.of(text) == width, "\(text)")
  }

  @Test("a shortened text fits, and never ends within a wide character")
  func shortened() {
    #expect(DisplayWidth.shortened("Acme Ltd", to: 8) == "Acme Ltd")
    #expect(DisplayWidth.shortened("Acme Ltd", to: 5) == "Acme…")
    #expect(DisplayWidth.shortened("株式会社", to: 4) == "株…")
    #expect(DisplayWidth.shortened("株式会社", to: 5) == "株式…")
    #expect(DisplayWidth.shortened("👨‍👩‍👧👨‍👩‍👧", to: 3) == "👨‍👩‍👧…")
    #expect(DisplayWidth.shortened("ab", to: 1) == "…")
    #expect(DisplayWidth.shortened("ab", to: 0).isEmpty)
    for width in 1...20 {
      let text = DisplayWidth.shortened("a株b式😀c", to: width)
      #expect(DisplayWidth.of(text) <= width)
    }
  }

  @Test("a text that is shortened in the middle keeps both ends")
  func middle() {
    #expect(DisplayWidth.shortened("sandbox-company-07", to: 12, keepsEnd: true) == "sandbo…ny-07")
    #expect(DisplayWidth.shortened("株式会社", to: 6, keepsEnd: true) == "株…社")
    #expect(DisplayWidth.shortened("ab", to: 1, keepsEnd: true) == "…")
    #expect(DisplayWidth.shortened("ab", to: 0, keepsEnd: true).isEmpty)
    for width in 1...20 {
      let text = DisplayWidth.shortened("a株b式😀c", to: width, keepsEnd: true)
      #expect(DisplayWidth.of(text) <= width)
    }
  }

  @Test("numbers have a space between groups of three digits")
  func grouped() {
    #expect(
      [0, 999, 1_000, 91_004, -1_234_567].map(\.grouped) == [
        "0", "999", "1 000", "91 004", "-1 234 567",
      ])
  }
}
