import AppCore
import Foundation
import Models
import Presentation

extension Failures {
  /// The failures as lines for standard error, with instants as times of day; accounts and
  /// resources that failed alike are named together.
  var text: String {
    var groups: [Group] = []
    // The resources of one account first, then the accounts whose resources are the same.
    for group in all.map(Group.init(shortened:)) {
      let index = groups.firstIndex {
        $0.failure == group.failure && $0.accounts == group.accounts && !$0.resources.isEmpty
          && !group.resources.isEmpty
      }
      if let index { groups[index].resources += group.resources } else { groups.append(group) }
    }
    var merged: [Group] = []
    for group in groups {
      let index = merged.firstIndex {
        $0.failure == group.failure && $0.resources == group.resources && !$0.accounts.isEmpty
          && !group.accounts.isEmpty
      }
      if let index { merged[index].accounts += group.accounts } else { merged.append(group) }
    }
    return merged.map(\.text).joined(separator: "\n")
  }

  /// A failure that accounts and resources have in common.
  private struct Group {
    var failure: Failure
    var accounts: [String]
    var resources: [String]

    /// - Parameter failure: the failure; of one that an earlier run reported, only that it is
    ///   still there.
    init(shortened failure: Failure) {
      accounts = failure.account.map { [$0] } ?? []
      resources = failure.resource.map { [$0] } ?? []
      self.failure = failure
      (self.failure.account, self.failure.resource) = (nil, nil)
      guard failure.isRepeated else { return }
      self.failure = Failure(
        failure.code, "still no access, as reported before",
        Hint("Show the cause", .init(["status"])))
      self.failure.program = failure.program
    }

    private var hint: String? {
      failure.advice?.text(
        calling: failure.program, command: \.unbroken, time: { HumanText.time($0) })
    }

    var text: String {
      "appcore: " + (accounts.isEmpty ? "" : "\(HumanText.some(accounts)): ")
        + (resources.isEmpty ? "" : "\(resources.joined(separator: " and ")): ")
        + printable(failure.sentence.text { HumanText.time($0) })
        + (failure.providerMessage.map { "\n  The provider says: \(printable($0))" } ?? "")
        + (hint.map { "\n  \(printable($0))" } ?? "")
    }
  }
}
