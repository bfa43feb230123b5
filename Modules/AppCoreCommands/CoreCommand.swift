import ArgumentParser

/// A command that takes its environment as an argument, so that tests run it in their own process.
protocol CoreCommand: AsyncParsableCommand {
  func run(in environment: CommandEnvironment) async throws
}
