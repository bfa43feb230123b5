import ArgumentParser

/// The command `appcore-sandbox`.
struct SandboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "appcore-sandbox",
    abstract:
      "An authorization server and invoice API on this machine that imitates a real provider.",
    discussion: """
      The bearer token sk_live_1 is always valid and reaches the first organisation only, \
      sk_live_2 the second; sk_test_1 is a test key as Stripe has them.

      CONTROLS
        GET    /_sandbox/stats                           the requests so far
        GET    /_sandbox/invoices                        every invoice
        POST   /_sandbox/invoices/change?count=3&seed=7  change some; also void,
                                                         delete, restore, add
        POST   /_sandbox/tokens/expire                   end every access token
        POST   /_sandbox/faults                          add a fault, or an array
        DELETE /_sandbox/faults                          remove all

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
      Opens an authorization URL on this machine, presses Approve if there is a page, and follows \
      the redirect. Exits with 0 if the callback replied with 2xx.
      """)

  @Argument(help: "The authorization URL.")
  var url: String

  func run() async throws {
    try await ApprovingBrowser().approve(url)
  }
}
