import ArgumentParser

/// The option that writes data to a file.
struct OutputOption: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  /// The end of the file's name after its last dot, in lower case; `nil` without one.
  var suffix: String? {
    let name = output?.lowercased().split(separator: "/").last ?? ""
    return name.split(separator: ".").dropFirst().last.map(String.init)
  }

  /// Checks that a command that writes a table is not to write a file of data.
  ///
  /// - Parameter other: the command that does, as the message names it.
  /// - Throws: `ValidationError`.
  func requireTable(isJSON: Bool, otherwise other: String) throws {
    guard let output, let suffix, !isJSON, ["csv", "json", "jsonl", "ndjson"].contains(suffix)
    else { return }
    throw ValidationError("This command writes a table, not \(suffix); use \(other) -o \(output)")
  }

  /// Runs `body` with the console that it writes its data to.
  ///
  /// - Throws: ``Failures`` if the file cannot be written; what `body` throws.
  func write(
    in context: CommandContext, _ body: (Console) async throws -> Void
  ) async throws {
    guard let output, output != "-" else { return try await body(context.terminal.console) }
    try await Self.write(to: output, in: context, body)
    context.terminal.note("Wrote \(printable(output)).")
  }

  /// Runs `body` with a console that writes its data to a file, or to what a path leads to.
  ///
  /// - Throws: as ``write(in:_:)``.
  static func write(
    to output: String, in context: CommandContext, _ body: (Console) async throws -> Void
  ) async throws {
    let console = context.terminal.console
    let folder = context.environment.currentDirectory
    let file = try await console.thread.run {
      Result { try OutputFile(output, in: folder) }
    }.get()
    do {
      try await body(Console(output: file, error: console.error, thread: console.thread))
      try await console.thread.run { Result { try file.finish() } }.get()
    } catch {
      await console.thread.run { file.discard() }
      throw error is OutputFailed ? file.failure : error
    }
  }
}
