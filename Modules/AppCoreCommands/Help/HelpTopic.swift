/// A subject that `appcore help` explains.
enum HelpTopic: String, CaseIterable {
  case configuration
  case environment
  case exitCodes = "exit-codes"
  case rateLimits = "rate-limits"
  case secretStore = "secret-store"

  var abstract: String {
    switch self {
    case .configuration: "The configuration file and its most used keys."
    case .environment: "Environment variables that appcore reads."
    case .exitCodes: "Exit codes, and what a script can do about each."
    case .rateLimits: "Limits that providers publish, and how appcore keeps them."
    case .secretStore: "Where logins are kept, with and without a desktop."
    }
  }
}
