import AppCore
import ArgumentParser
import Foundation
import Logging

/// The entry point of the program `appcore`.
public enum CommandLineProgram {
  /// Runs the command that the process's arguments name, and exits.
  public static func main() async -> Never {
    ProcessStreams.prepare()
    ProcessMemory.keepPrivate()
    ProcessMemory.keepSmall()
    // The core's own loggers write to the console; all other loggers stay silent.
    LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
    let arguments = Array(CommandLine.arguments.dropFirst())
    let environment = CommandEnvironment.process()
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
    let wantsJSON = arguments.contains("--json")
    do {
      var command = try RootCommand.parseAsRoot(arguments)
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
        return report(error, to: environment.console, asJSON: wantsJSON)
      }
      // ArgumentParser reports `--help` and `--version` as errors with exit code 0.
      do {
        try await environment.console.print(RootCommand.fullMessage(for: error))
        return .done
      } catch {
        return report(error, to: environment.console, asJSON: wantsJSON)
      }
    }
  }

  private static func report(
    _ error: any Error, to console: Console, asJSON: Bool
  ) -> ExitStatus {
    let code = RootCommand.exitCode(for: error)
    guard code != .validationFailure else {
      if asJSON {
        let failure = Failure(
          .usage, "usage", RootCommand.message(for: error), "appcore --help")
        console.report(Failures(failure), asJSON: true)
      } else {
        console.post(RootCommand.fullMessage(for: error))
      }
      return .usage
    }
    let failures = Failures(error)
    console.report(failures, asJSON: asJSON)
    return failures.first.status
  }
}

/// The error of a command that has printed everything and only sets the exit status.
struct CommandEnded: Error {
  let status: ExitStatus
}
