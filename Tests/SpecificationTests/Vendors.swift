import Foundation
import Yams

/// The descriptions that vendors publish of their APIs: `APPCORE_TEST_VENDORS`, or
/// `../shared/vendors` beside the package.
enum Vendors {
  static let folder =
    ProcessInfo.processInfo.environment["APPCORE_TEST_VENDORS"]
    ?? URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)
    + "/shared/vendors"

  static let isThere = FileManager.default.fileExists(atPath: folder + "/xero_accounting.yaml")

  /// The reason that a skipped test prints.
  static let absence =
    "the vendors' specifications are not in \(folder) (APPCORE_TEST_VENDORS)"

  static func bytes(_ file: String) throws -> Data {
    try Data(contentsOf: URL(filePath: folder + "/" + file))
  }

  static func json(_ file: String) throws -> Node { try Node(json: bytes(file)) }

  static func yaml(_ file: String) throws -> Node {
    let text = String(decoding: try bytes(file), as: UTF8.self)
    return try Yams.compose(yaml: text).map(node) ?? .null
  }

  private static func node(_ yaml: Yams.Node) -> Node {
    switch yaml {
    case .mapping(let mapping):
      .object(
        Dictionary(
          mapping.map { ($0.key.string ?? "", node($0.value)) }, uniquingKeysWith: { $1 }))
    case .sequence(let sequence): .list(sequence.map(node))
    case .scalar(let scalar): node(scalar)
    case .alias: .null
    }
  }

  private static func node(_ scalar: Yams.Node.Scalar) -> Node {
    guard scalar.style == .plain || scalar.style == .any else { return .text(scalar.string) }
    return switch scalar.string {
    case "true": .flag(true)
    case "false": .flag(false)
    case "null", "~", "": .null
    default: Double(scalar.string) == nil ? .text(scalar.string) : .number(scalar.string)
    }
  }
}
