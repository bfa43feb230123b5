import AppCore
import Authentication
import Foundation
import Networking
import SecureStore
import Storage
import Sync

/// Does what a front end does, against a sandbox: `consumer URL FOLDER INVOICES`.
@main
struct Consumer {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let server = URL(string: arguments[1]),
      let count = Int(arguments[3])
    else {
      print("usage: consumer URL FOLDER INVOICES")
      exit(64)
    }
    do {
      try await Tour(server: server, folder: arguments[2]).run(expecting: count)
      print("consumer: done")
    } catch {
      print("consumer: failed: \(error.localizedDescription)")
      if let suggestion = (error as? any LocalizedError)?.recoverySuggestion { print(suggestion) }
      exit(1)
    }
  }
}

/// A result that the program did not expect.
struct Unexpected: LocalizedError {
  let errorDescription: String?

  /// Throws unless a condition holds.
  static func unless(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    guard condition else { throw Unexpected(errorDescription: text()) }
  }
}
