package import Sync

/// A kind of list that a test's server has.
package enum ListModel: Sendable {
  /// It lists what has changed.
  case watermark
  /// It lists every record.
  case sweep
  /// It lists the version of every record.
  case versions

  package func traits(of provider: String) -> FeedTraits {
    FeedTraits(
      provider: provider, changes: self == .watermark ? .watermark : .sweep,
      identifiesOrganisation: true)
  }
}
