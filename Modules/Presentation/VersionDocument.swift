import SystemSupport

/// The document that `appcore --version` prints.
package struct VersionDocument: Encodable {
  let schemaVersion = 1
  let version = Version.number
  let commit = Nullable(Version.commit)

  package init() {}
}
