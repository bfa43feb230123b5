public import Foundation

/// The time zone in which a provider's instants become calendar days.
///
/// Days are those of the seller: an invoice that is issued in Los Angeles on the evening of 31
/// January belongs to January, although it is already February in UTC.
public enum DayZone: Sendable, Equatable {
  /// None: the provider sends days.
  case notNeeded
  /// A time zone of the IANA database, such as `America/Los_Angeles`.
  case known(TimeZone)
  /// UTC, because the provider names no time zone, or one that this system does not know.
  case unknown

  /// Creates the zone of a name; an unknown one without a name.
  public init(_ name: String?) {
    self = name.flatMap(TimeZone.init(identifier:)).map(DayZone.known) ?? .unknown
  }

  /// The time zone; UTC if none is known.
  public var timeZone: TimeZone {
    if case .known(let zone) = self { zone } else { .gmt }
  }
}
