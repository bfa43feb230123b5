import AppCore
import ArgumentParser
import Foundation
import Providers

/// `appcore` without a command: the first steps if there is no configuration, else the help.
extension RootCommand: CoreCommand {
  func run(in environment: CommandEnvironment) async throws {
    let loader = environment.loader
    let path = loader.filePath()
    guard !FileManager.default.fileExists(atPath: path) else {
      return try await environment.console.print(HelpPage([.appcore]).text)
    }
    let names = loader.providers.map(\.profile.title)
    let providers = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    try await environment.console.print(
      """
      appcore downloads your invoices into a database on this machine.
      There is no configuration yet (\(printable(path))). Begin with:
        appcore setup            connect \(providers)
        appcore setup --sandbox  try it with made-up invoices, without an account
        appcore --help           list all commands
      """)
  }
}
