import CBuildInformation

/// The version of the program and the library.
package enum Version {
  package static let number = "0.1.0"

  /// The commit that it was built from; `nil` if the build named none.
  package static var commit: String? {
    let commit = String(cString: build_commit())
    return commit.isEmpty ? nil : commit
  }

  /// The version with the commit.
  package static var text: String { number + (commit.map { " (\($0))" } ?? "") }
}
