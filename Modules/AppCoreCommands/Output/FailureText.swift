import AppCore
import Foundation
import Models
import Presentation

extension Failures {
  /// The failures as lines for standard error, with instants as times of day; accounts and
  /// resources that failed alike are named together.
  var text: String {
    // The resources of one account first, then the accounts whose resources are the same.
    all.map(Group.init(shortened:))
      .joining(\.resources, ofTheSame: \.accounts).joining(\.accounts, ofTheSame: \.resources)
      .map(\.text).joined(separator: "\n")
  }

  /// A failure that accounts and resources have in common.
  fileprivate struct Group {
    struct Shared: Hashable {
      let failure: Failure
      let names: [String]
    }

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

extension [Failures.Group] {
  /// Returns the groups with those as one that have the same failure and the same other names.
  fileprivate func joining(
    _ names: WritableKeyPath<Element, [String]>, ofTheSame others: KeyPath<Element, [String]>
  ) -> [Element] {
    var joined: [Element] = []
    var places: [Failures.Group.Shared: Int] = [:]
    for group in self {
      let key = Failures.Group.Shared(failure: group.failure, names: group[keyPath: others])
      let isNamed = !group[keyPath: names].isEmpty
      if isNamed, let place = places[key] {
        joined[place][keyPath: names] += group[keyPath: names]
      } else {
        if isNamed { places[key] = joined.count }
        joined.append(group)
      }
    }
    return joined
  }
}
