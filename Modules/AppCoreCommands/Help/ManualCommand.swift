import ArgumentParser
import Documents
import Foundation

/// `appcore generate-manual`, which the installation runs.
struct ManualCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-manual", abstract: "Write the manual pages into a folder.",
    shouldDisplay: false)

  @Argument(help: "An existing folder.", completion: .directory)
  var folder: String

  func run(in environment: CommandEnvironment) async throws {
    let folder = URL(
      filePath: folder, directoryHint: .isDirectory,
      relativeTo: URL(filePath: environment.currentDirectory, directoryHint: .isDirectory))
    for page in ManualPage.all {
      do {
        try Data(page.text.utf8).write(to: folder.appending(path: page.fileName))
      } catch {
        throw Failures(
          Failure(
            .inputOutput, "output", "\(page.fileName) cannot be written",
            "Check the folder and the disk."))
      }
    }
  }
}
