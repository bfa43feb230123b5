package import Documents
import Reports

// The failures that only the program has, and failures as text.
extension Failures {
  /// The failures as lines for standard error; accounts that failed alike are named together.
  var text: String {
    var groups: [(failure: Failure, accounts: [String])] = []
    for failure in all {
      var common = failure
      common.account = nil
      if let account = failure.account,
        let index = groups.firstIndex(where: { $0.failure == common && !$0.accounts.isEmpty })
      {
        groups[index].accounts.append(account)
      } else {
        groups.append((common, failure.account.map { [$0] } ?? []))
      }
    }
    return groups.map { $0.failure.text(of: $0.accounts) }.joined(separator: "\n")
  }
}

extension Failure {
  var text: String { text(of: account.map { [$0] } ?? []) }

  /// Returns the failure as lines of text, for the accounts that it has in common.
  fileprivate func text(of accounts: [String]) -> String {
    "appcore: " + (accounts.isEmpty ? "" : "\(HumanText.some(accounts)): ")
      + (resource.map { "\($0): " } ?? "") + printable(message)
      + (hint.map { "\n  \(printable($0))" } ?? "")
  }
}

extension ReportError: FailureConvertible {
  package var failure: Failure {
    switch self {
    case .full:
      Failure(
        .inputOutput, "disk-full", "\(self)", "Free some disk space and run it again.")
    default:
      Failure(.inputOutput, "report", "\(self)", "Check the file, its folder and permissions.")
    }
  }
}

extension OutputFailed: FailureConvertible {
  var failure: Failure {
    Failure(
      .inputOutput, "output", "cannot write to standard output",
      "Free some disk space and run it again.")
  }
}
