import AppCore
import Foundation
import Sandbox

exit(
  await SandboxProgram.run(
    Array(CommandLine.arguments.dropFirst()), description: CoreConfiguration.description))
