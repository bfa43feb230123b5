import AppCore
import ArgumentParser
import Foundation
import Logging

/// The program `appcore`: arguments in, exit code out.
public enum CommandLineProgram {
  /// Runs the command that the process's arguments name, and ends the process.
  public static func main() async -> Never {
    ProcessStreams.prepare()
    ProcessMemory.keepPrivate()
    ProcessMemory.keepSmall()
    // The loggers of the core write to the console; nothing else does.
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
    // A signal's number decides, whatever the cancelled work made of it.
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
      // `--help` and `--version` come this way.
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

/// Thrown by a command that has said everything already and ends with a status of its own.
struct CommandEnded: Error {
  let status: ExitStatus
}
