import ArgumentParser
import Foundation
import Networking
package import Providers

/// The program `appcore-sandbox`, from its arguments to its exit code.
package enum SandboxProgram {
  /// Reads the description of a provider from a file, or the one that ships with its name.
  package typealias DescriptionReader = @Sendable (String) throws -> RESTDescription

  @TaskLocal static var readDescription: DescriptionReader?

  /// Runs the command that the arguments, without the program's name, name.
  package static func run(
    _ arguments: [String], description: DescriptionReader? = nil
  ) async -> Int32 {
    await $readDescription.withValue(description) { await run(arguments) }
  }

  private static func run(_ arguments: [String]) async -> Int32 {
    do {
      var command = try parse(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return 0
    } catch {
      let code = exitCode(for: error)
      // `--help` is handled here as well.
      guard code != 0 else {
        write(SandboxCommand.fullMessage(for: error) + "\n", to: .standardOutput)
        return code
      }
      write("appcore-sandbox: \(message(for: error))\n", to: .standardError)
      return code
    }
  }

  /// Parses the arguments; help takes precedence over a mistake in another one.
  static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let asksForHelp = arguments.contains { ["--help", "-h"].contains($0) }
    return try SandboxCommand.parseAsRoot(
      asksForHelp ? arguments.prefix { !$0.hasPrefix("-") } + ["--help"] : arguments)
  }

  static func exitCode(for error: any Error) -> Int32 {
    switch error {
    case let error as SandboxError:
      switch error {
      case .invalidConfiguration: 64
      case .unreadableFile: 65
      case .cannotListen: 69
      }
    case ApprovingBrowser.Failure.notLoopback: 64
    case is ApprovingBrowser.Failure: 1
    case is SessionError: 69
    default: SandboxCommand.exitCode(for: error).rawValue
    }
  }

  static func message(for error: any Error) -> String {
    guard SandboxCommand.exitCode(for: error) == .validationFailure else { return "\(error)" }
    return SandboxCommand.message(for: error) + " (--help lists everything)"
  }

  static func write(_ text: String, to file: FileHandle) {
    // If the reader has gone, the text is dropped, and the error cannot be reported elsewhere.
    try? file.write(contentsOf: Data(text.utf8))
  }
}

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
        POST   /_sandbox/clock?seconds=86400             move the clock forward
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
