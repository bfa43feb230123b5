import CBuildInformation

/// The version of the program and the library.
package enum Version {
  package static let number = "0.1.0"

  /// The version with the commit that it was built from, if the build named one.
  package static var text: String {
    let commit = String(cString: build_commit())
    return commit.isEmpty ? number : "\(number) (\(commit))"
  }
}
