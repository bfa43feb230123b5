/// Texts that a program for plain-text accounting could take for something else.
enum HostileTexts {
  static let all: [String] = [
    // Tags, dates and expressions in comments.
    "date:2025-06-01", "x, date:2025-06-01", "date:2025-13-45", "[2025-06-01]", "[=2025-06-01]",
    "[2025-06-01=2025-06-02]", "[0000-99-99]", "due:: f(1)", ":: 1 / 0", "Payee:: account",
    "UUID: 1", ":tag1:tag2:", "type:X", "date2:2020-01-01", "a:b:c", "#tag", "^link", "key: \"v\"",
    // Beginnings and ends.
    "; comment", "a ; b", "a  ; b", "* cleared", "! pending", "(Acme) Ltd", ") x (", "()", "| note",
    "Payee | note", "=2024-01-01", "@ 5 EUR", "@@ 5 EUR", "{5 EUR}", "{{5 EUR}} [2024-01-01]",
    "(virtual)", "[balanced]", "<deferred>", "= 100 EUR", "=* 100 EUR", "~ monthly", "% 5",
    // Directives, and lines of their own.
    "include /etc/passwd", "comment", "end comment", "a\nb", "a\r\n2024-01-01 * \"x\"",
    "a\u{2028}b",
    "\n    assets:cash  1 EUR", "1900-01-01 close Assets:X", "account a:b",
    // Spaces, controls and other characters.
    "tab\tbetween", "two  spaces", "no\u{A0} break", "\u{202E}evil", "\u{FEFF}bom", "nul\u{1}l",
    "zero\u{200B}width", "\"quoted\" text", "back\\slash", "\\\"", "'", "`", "$100", "1,000.00 EUR",
    // Names without letters, and long ones.
    "--", "   ", ":", "\u{1F469}\u{200D}\u{1F4BB}", "\u{1D538}\u{20000}", "e\u{301}\u{327}",
    "ǆ digraph", "ß sharp", String(repeating: "long ", count: 2_000),
    String(repeating: "\u{6771}", count: 3_000), "{contact}", "%(account)", "$(touch x)", "🎉",
  ]
}
