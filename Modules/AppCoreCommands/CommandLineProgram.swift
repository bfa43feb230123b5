import AppCore
import ArgumentParser
import Documents
import ErrorCodes
import Foundation
import Logging
public import Providers

/// The entry point of the program `appcore`.
public enum CommandLineProgram {
  /// Runs the command that the process's arguments name, and exits.
  ///
  /// - Parameter providers: providers that are not built in. Accounts name them like the built-in
  ///   ones, and `appcore setup` offers them.
  public static func main(providers: [any Provider] = []) async -> Never {
    ProcessStreams.prepare()
    ProcessMemory.keepPrivate()
    ProcessMemory.keepSmall()
    // The core's own loggers write to the console; all other loggers stay silent.
    LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
    let arguments = Array(CommandLine.arguments.dropFirst())
    var process = CommandEnvironment.process()
    process.providers = providers
    let environment = process
    let interruption = Interruption()
    let work = Task { await run(arguments, in: environment) }
    interruption.onSignal { count in
      work.cancel()
      environment.end.asked(count, exitCode: interruption.exitCode ?? 130)
    }
    let status = await work.value
    await environment.console.flush()
    // After a signal, its number decides the exit code, not the outcome of the cancelled work.
    exit(interruption.exitCode ?? status.rawValue)
  }

  /// Runs a command and returns the exit status.
  static func run(
    _ arguments: [String], in environment: CommandEnvironment
  ) async -> ExitStatus {
    var environment = environment
    environment.console.program.launcher = SandboxLauncher(environment.variables)
    environment.console.isErrorJSON = arguments.value(of: "--progress") == "json"
    do {
      guard try await !showsHelp(arguments, on: environment.console) else { return .done }
      var command = try await RootCommand.asyncParseAsRoot(
        isCompletion(arguments) ? arguments : Invocation.running(arguments).arguments)
      environment.console.program.configuration = arguments.value(of: "--config")
      if let command = command as? any CoreCommand {
        try await command.run(in: environment)
      } else if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return .done
    } catch let ended as CommandEnded {
      return ended.status
    } catch let exitCode as ExitCode {
      return exitCode == .success ? .done : .unclassified
    } catch {
      guard RootCommand.exitCode(for: error) == .success else {
        return report(error, of: arguments, in: environment)
      }
      // ArgumentParser reports `--version` and scripts for completion as errors with exit code 0.
      do {
        var text = RootCommand.fullMessage(for: error)
        if arguments.contains(where: { $0.hasPrefix("--generate-completion-script") }) {
          text = CompletionScript.amended(text)
        }
        if text == RootCommand.configuration.version, arguments.contains("--json") {
          try await environment.console.printJSON(VersionDocument())
        } else {
          try await environment.console.print(text)
        }
        return .done
      } catch {
        return report(error, of: arguments, in: environment)
      }
    }
  }

  /// Prints the help that the arguments ask for; returns false if they ask for none.
  ///
  /// - Throws: ``UsageError`` for an unknown command.
  private static func showsHelp(_ arguments: [String], on console: Console) async throws -> Bool {
    guard !isCompletion(arguments) else { return false }
    let invocation = Invocation(arguments)
    guard invocation.isBareGroup || invocation.asksForHelp else { return false }
    if let message = UsageMistake.unknownCommand(invocation) {
      throw UsageError(mistake: UsageMistake(invocation, refusedWith: message))
    }
    var page = HelpPage(invocation.path)
    page.program = console.program.words
    try await console.print(page.text)
    return true
  }

  /// True if a shell asks what could complete a line.
  private static func isCompletion(_ arguments: [String]) -> Bool {
    arguments.first == "---completion"
  }

  private static func report(
    _ error: any Error, of arguments: [String], in environment: CommandEnvironment
  ) -> ExitStatus {
    let console = environment.console
    let asJSON = arguments.contains("--json") || console.isErrorJSON
    let mistake: UsageMistake
    if let error = error as? UsageError {
      mistake = error.mistake
    } else if RootCommand.exitCode(for: error) == .validationFailure {
      mistake = UsageMistake(arguments, refusedWith: RootCommand.message(for: error))
    } else {
      let failures = Failures(error)
      environment.end.report(failures, on: console, asJSON: asJSON)
      return failures.first.status
    }
    if asJSON {
      let failure = Failure(.usage, mistake.message, Hint(mistake.hint))
      console.report(Failures(failure), asJSON: true)
    } else {
      console.post(mistake.text)
    }
    return .usage
  }
}

/// The error of a command that has printed everything and only sets the exit status.
struct CommandEnded: ReportedError {
  let status: ExitStatus
}
