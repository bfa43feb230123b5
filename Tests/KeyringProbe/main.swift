import Foundation
import SecureStore

// One call of the keyring store in a process of its own: GDBus keeps the first bus that it finds,
// so a test that needs several buses needs several processes.
//
// keyring-probe read|write|remove|unlock|check|rewrite [VALUE] prints the answer, or the error's
// case, and how many milliseconds it took.

let arguments = CommandLine.arguments.dropFirst()
func limit(_ name: String) -> Duration? {
  ProcessInfo.processInfo.environment[name].flatMap(Int.init).map { .milliseconds($0) }
}

let callLimit = limit("CALL_LIMIT") ?? .seconds(3)
let store = LibsecretStore(
  service: "test", callLimit: callLimit, writeLimit: limit("WRITE_LIMIT") ?? callLimit,
  promptLimit: max(.seconds(10), callLimit))
let key = SecretKey(service: "test", account: "probe")
let begin = ContinuousClock.now

func answer() async throws -> String {
  switch arguments.first {
  case "read": return try await store.secret(for: key)?.exposedText ?? "absent"
  case "write":
    try await store.store(Secret(arguments.last ?? ""), for: key, label: "probe")
    return "written"
  case "rewrite":
    // An old value whose write takes too long, and a newer one right after it.
    try? await store.store(Secret("old"), for: key, label: "probe")
    let patient = LibsecretStore(callLimit: .seconds(20))
    try await patient.store(Secret("new"), for: key, label: "probe")
    return "written"
  case "follow":
    // Reads once for every line, in one process.
    while readLine() != nil {
      do {
        print(try await store.secret(for: key)?.exposedText ?? "absent")
      } catch {
        print(error)
      }
      fflush(nil)
    }
    return "done"
  case "remove": return try await store.removeSecret(for: key) ? "removed" : "absent"
  case "unlock":
    let task = Task { try await store.unlock() }
    if arguments.last == "cancel" {
      // The question is on its way by then, or the call ends before it is.
      try await Task.sleep(for: .milliseconds(500))
      task.cancel()
    }
    do { try await task.value } catch is CancellationError { return "cancelled" }
    return "unlocked"
  default: return "\(try await store.checkAvailability())"
  }
}

func milliseconds(since begin: ContinuousClock.Instant) -> Int {
  Int(begin.duration(to: .now) / .milliseconds(1))
}

do {
  print(try await answer(), milliseconds(since: begin), separator: "|")
} catch let error as SecretStoreError {
  switch error {
  case .unavailable(let reason):
    print("unavailable \(reason)", milliseconds(since: begin), separator: "|")
  case .timedOut: print("timedOut", milliseconds(since: begin), separator: "|")
  case .failed(let code): print("failed \(code)", milliseconds(since: begin), separator: "|")
  default: print("\(error)", milliseconds(since: begin), separator: "|")
  }
}
