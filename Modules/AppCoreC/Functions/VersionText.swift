import Documents
import SystemSupport

/// The version as a C string that is never freed.
enum VersionText {
  // An address and no pointer, because a pointer is not Sendable.
  private static let address = UInt(bitPattern: CText.copy(Version.number))

  static var pointer: UnsafePointer<CChar>? { UnsafePointer(bitPattern: address) }
}
