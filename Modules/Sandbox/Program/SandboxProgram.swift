import Foundation
import SystemSupport

/// The program `appcore-sandbox`, from its arguments to its exit code.
package enum SandboxProgram {
  /// Runs the command that the arguments, without the program's name, ask for.
  package static func run(_ arguments: [String]) async -> Int32 {
    do {
      switch try SandboxCommand(arguments) {
      case .help:
        write(SandboxUsage.text, to: .standardOutput)
      case .approve(let url):
        try await ApprovingBrowser().approve(url)
      case .serve(let options):
        try await serve(options)
      }
      return 0
    } catch {
      write("appcore-sandbox: \(message(for: error))\n", to: .standardError)
      return exitCode(for: error)
    }
  }

  private static func serve(_ options: ServeOptions) async throws {
    let reasons = StopReasons(watchesStandardInput: !options.ignoresStandardInput)
    let faults = try await BlockingWork.run {
      try options.faultsFile.map(FaultDocument.read(file:)) ?? []
    }
    let server = try await SandboxServer.start(options.configuration)
    for fault in faults { server.armFault(fault) }
    write(readyLine(server), to: .standardOutput)
    await reasons.first()
    await server.stop()
  }

  private static func readyLine(_ server: SandboxServer) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("url", server.url.absoluteString)
      writer.member("clientID", server.clientID)
      writer.member("machineClientID", server.machineClientID)
      writer.member("machineClientSecret", server.machineClientSecret)
    }
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  static func exitCode(for error: any Error) -> Int32 {
    switch error {
    case is SandboxUsageError: 64
    case let error as SandboxError:
      switch error {
      case .invalidConfiguration: 64
      case .unreadableFile: 65
      case .cannotListen: 69
      }
    case let error as LoopbackError: error == .notLoopback ? 64 : 69
    default: 1
    }
  }

  private static func message(for error: any Error) -> String {
    switch error {
    case let error as SandboxUsageError: error.message + " (--help lists everything)"
    case ApprovingBrowser.Failure.refused(let status): "not approved: the answer was \(status)"
    case ApprovingBrowser.Failure.tooManyRedirects: "not approved: the redirects do not end"
    default: String(describing: error)
    }
  }

  private static func write(_ text: String, to file: FileHandle) {
    // A reader that is gone needs no message, and there is nowhere else to complain.
    try? file.write(contentsOf: Data(text.utf8))
  }
}
