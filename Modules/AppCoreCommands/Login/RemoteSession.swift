/// A session over SSH, in which the user's browser runs on another machine.
struct RemoteSession: Sendable, Equatable {
  /// The address of this machine, as the user's machine reaches it.
  let host: String
  let user: String?

  /// Reads `SSH_CONNECTION`; returns `nil` if the session is not one over SSH.
  init?(variables: [String: String]) {
    let words = (variables["SSH_CONNECTION"] ?? "").split(separator: " ")
    guard words.count == 4 else { return nil }
    host = String(words[2])
    user = variables["USER"]
  }

  /// Returns the instructions for a sign-in whose redirect goes to a port of this machine.
  func instructions(port: Int) -> String {
    let target = (user.map { $0 + "@" } ?? "") + host
    return """
      You are connected over SSH, and the browser has to reach port \(port) of this machine.
      Run this on your own machine first, then visit the address there:
        ssh -L \(port):127.0.0.1:\(port) \(target)
      Or visit the address without it, and paste the address on which the browser ends.
      """
  }
}
