import AppCore
import ArgumentParser
import ErrorCodes
import Foundation
import Glibc
import Logging
import Models
import Presentation
public import Providers
import SingerTap

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
    let arguments = Self.arguments(of: CommandLine.arguments)
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
    await environment.terminal.flush()
    // After a signal, its number decides the exit code, not the outcome of the cancelled work.
    exit(interruption.exitCode ?? status.rawValue)
  }

  /// Returns the arguments of a command line; the program's name `tap-appcore` is a command.
  static func arguments(of line: [String]) -> [String] {
    let name = line.first?.split(separator: "/").last
    let arguments = Array(line.dropFirst())
    return name == "tap-appcore" && arguments != ["--version"] ? ["singer"] + arguments : arguments
  }

  static func run(
    _ arguments: [String], in environment: CommandEnvironment
  ) async -> ExitStatus {
    var environment = environment
    environment.terminal.program.launcher = SandboxLauncher(environment.variables)
    environment.terminal.isErrorJSON = arguments.value(of: "--progress") == "json"
    do {
      guard try await !showsHelp(arguments, on: environment.terminal) else { return .done }
      var command = try await RootCommand.asyncParseAsRoot(
        isCompletion(arguments) ? arguments : Invocation.running(arguments).arguments)
      if command is any CoreCommand || command is SingerCommand {
        try await environment.terminal.program.launcher?.startServer(
          for: Invocation(arguments).words.first, in: environment)
      }
      if let tap = command as? SingerCommand {
        // Its configuration is of another kind, and names that of appcore.
        let settings = try await tap.settings(in: environment)
        environment.terminal.program.configuration = settings.configFile
        try await tap.run(settings, in: environment)
        return .done
      }
      environment.terminal.program.configuration = arguments.value(of: "--config")
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
          try await environment.terminal.printJSON(VersionDocument())
        } else {
          try await environment.terminal.print(text)
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
  private static func showsHelp(
    _ arguments: [String], on terminal: Terminal
  ) async throws -> Bool {
    guard !isCompletion(arguments) else { return false }
    let invocation = Invocation(arguments)
    guard invocation.isBareGroup || invocation.asksForHelp else { return false }
    if let message = UsageMistake.unknownCommand(invocation) { throw UsageError(Hint(message)) }
    try await terminal.print(HelpPage(invocation.path).text(calling: terminal.program.words))
    return true
  }

  private static func isCompletion(_ arguments: [String]) -> Bool {
    arguments.first == "---completion"
  }

  private static func report(
    _ error: any Error, of arguments: [String], in environment: CommandEnvironment
  ) -> ExitStatus {
    let terminal = environment.terminal
    let asJSON = arguments.contains("--json") || terminal.isErrorJSON
    let message: String
    if let error = error as? UsageError {
      message = terminal.program.text(error.message)
    } else if RootCommand.exitCode(for: error) == .validationFailure {
      message = RootCommand.message(for: error)
    } else {
      let failures = Failures(error)
      environment.end.report(failures, on: terminal, asJSON: asJSON)
      return failures.first.status
    }
    let mistake = UsageMistake(Invocation.running(arguments), refusedWith: message)
    // Help needs no configuration.
    let caller = HintProgram(launcher: terminal.program.launcher)
    if asJSON {
      let failure = Failure(.usage, mistake.message, Hint(caller.text(mistake.help)))
      terminal.report(Failures(failure), asJSON: true)
    } else {
      terminal.post(mistake.text(calling: caller))
    }
    return .usage
  }
}

/// The error of a command that has printed everything and only sets the exit status.
struct CommandEnded: ReportedError {
  let status: ExitStatus
}

/// Setup of the standard streams, before the process opens anything.
private enum ProcessStreams {
  /// Ignores SIGPIPE, opens `/dev/null` in place of closed standard descriptors, and stops messages
  /// of the dispatch library.
  ///
  /// A reader that leaves then causes only an error of `write(2)`. A descriptor left closed would
  /// go to the next file that is opened, which would then be taken for a standard stream.
  ///
  /// A file that outgrows the user's limit (`ulimit -f`) is such an error too: SIGXFSZ would end
  /// the process, and a login that is being stored with it.
  ///
  /// Only root may raise the priority of a thread. For any other user, the dispatch library logs
  /// each time that it could not: several lines in the journal for each run of a timer.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    setenv("LIBDISPATCH_LOG", "NO", 0)
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // Open it in the wrong direction, so that using it fails like using a closed descriptor.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
