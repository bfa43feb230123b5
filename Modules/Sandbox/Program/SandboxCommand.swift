import ArgumentParser

/// The command `appcore-sandbox`.
struct SandboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "appcore-sandbox",
    abstract:
      "A loopback authorization server and invoice API that speaks a real provider's wire shape.",
    discussion: """
      The bearer token sk_live_1 is always valid and reaches only the first tenant, sk_live_2 only \
      the second; sk_test_1 is a test key in Stripe's shape.

      CONTROLS
        GET    /_sandbox/stats                           what was seen so far
        GET    /_sandbox/invoices                        every invoice
        POST   /_sandbox/invoices/change?count=3&seed=7  change some; also void,
                                                         delete, restore, add
        POST   /_sandbox/tokens/expire                   end every access token
        POST   /_sandbox/faults                          arm a fault or an array
        DELETE /_sandbox/faults                          disarm all

      EXIT CODES
        0 done · 1 not approved · 64 usage · 65 a file cannot be read
        69 cannot listen or connect
      """,
    subcommands: [ServeCommand.self, ApproveCommand.self])

  func run() throws {
    throw ValidationError("a command is missing: serve or approve")
  }
}

/// The command `appcore-sandbox approve`.
struct ApproveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve",
    abstract: "Approve a sign-in as the user would in a browser.",
    discussion: """
      It opens an authorization URL on this machine, presses Approve if there is a page, and \
      follows the redirect. It exits with 0 when the callback answered 2xx.
      """)

  @Argument(help: "The authorization URL.")
  var url: String

  func run() async throws {
    try await ApprovingBrowser().approve(url)
  }
}
