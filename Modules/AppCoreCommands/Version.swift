import CBuildInformation

/// The version of the program.
enum Version {
  static let number = "0.1.0"

  /// The version with the commit that it was built from, if the build named one.
  static var text: String {
    let commit = String(cString: appcore_commit())
    return commit.isEmpty ? number : "\(number) (\(commit))"
  }
}
