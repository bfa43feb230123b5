import AppCore
import ArgumentParser
import Documents
import ErrorCodes
import Foundation

/// `appcore generate-manual`, which the installation runs.
struct ManualCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-manual", abstract: "Write the manual pages into a folder.",
    shouldDisplay: false)

  @Option(
    help: ArgumentHelp(
      "Write those of another program, which printed this with --experimental-dump-help.",
      valueName: "file"), completion: .file())
  var programHelp: String?

  @Argument(help: "An existing folder.", completion: .directory)
  var folder: String

  func run(in environment: CommandEnvironment) async throws {
    let current = URL(filePath: environment.currentDirectory, directoryHint: .isDirectory)
    let folder = URL(filePath: folder, directoryHint: .isDirectory, relativeTo: current)
    for page in try pages(in: current) {
      do {
        try Data(page.text.utf8).write(to: folder.appending(path: page.fileName))
      } catch {
        throw Failures(
          Failure(
            .output, "\(page.fileName) cannot be written",
            "Check the folder and the disk."))
      }
    }
  }

  private func pages(in current: URL) throws -> [ManualPage] {
    guard let programHelp else { return ManualPage.all }
    do {
      let dump = try Data(contentsOf: URL(filePath: programHelp, relativeTo: current))
      return ManualPage.all(of: try CommandDescription(dump: dump))
    } catch {
      throw Failures(
        Failure(
          .input, "\(programHelp) cannot be read as the help of a program",
          "Write it with: PROGRAM --experimental-dump-help"))
    }
  }
}
