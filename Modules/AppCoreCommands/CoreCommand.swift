import ArgumentParser

/// A command that runs in given surroundings, so that tests run it in their own process.
protocol CoreCommand: AsyncParsableCommand {
  func run(in environment: CommandEnvironment) async throws
}
