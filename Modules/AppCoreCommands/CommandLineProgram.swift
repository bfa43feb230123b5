import AppCore
import ArgumentParser
import Foundation

/// The program `appcore`: arguments in, exit code out.
public enum CommandLineProgram {
  /// Runs the command that the process's arguments name, and ends the process.
  public static func main() async -> Never {
    ProcessStreams.prepare()
    ProcessMemory.keepPrivate()
    ProcessMemory.keepSmall()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let interruption = Interruption()
    let work = Task { await run(arguments) }
    interruption.onSignal { count in
      work.cancel()
      OrderlyEnd.shared.asked(count, exitCode: interruption.exitCode ?? 130)
    }
    let status = await work.value
    await OutputThread.shared.flush()
    // A signal's number decides, whatever the cancelled work made of it.
    exit(interruption.exitCode ?? status.rawValue)
  }

  /// Runs a command and answers with the exit status.
  package static func run(_ arguments: [String]) async -> ExitStatus {
    let wantsJSON = arguments.contains("--json")
    do {
      var command = try RootCommand.parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
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
        return report(error, asJSON: wantsJSON)
      }
      // `--help` and `--version` come this way.
      do {
        try await Terminal.print(RootCommand.fullMessage(for: error))
        return .done
      } catch {
        return report(error, asJSON: wantsJSON)
      }
    }
  }

  private static func report(_ error: any Error, asJSON: Bool) -> ExitStatus {
    let code = RootCommand.exitCode(for: error)
    guard code != .validationFailure else {
      if asJSON {
        let failure = Failure(
          .usage, "usage", RootCommand.message(for: error), "appcore --help")
        Terminal.tell(Failures(failure), asJSON: true)
      } else {
        Terminal.tell(RootCommand.fullMessage(for: error))
      }
      return .usage
    }
    let failures = Failures(error)
    Terminal.tell(failures, asJSON: asJSON)
    return failures.first.status
  }
}

/// Thrown by a command that has said everything already and ends with a status of its own.
struct CommandEnded: Error {
  let status: ExitStatus
}
