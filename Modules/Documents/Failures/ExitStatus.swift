/// The exit codes, modelled on sysexits.h; scripts rely on them.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case done = 0
  case unclassified = 1
  case usage = 64
  case unreadableData = 65
  case unavailable = 69
  case bug = 70
  case inputOutput = 74
  case tryAgainLater = 75
  case signInRequired = 77
  case configuration = 78
  case interrupted = 130
}
