import SystemSupport

extension RESTResource {
  /// A text that is the same in every process, and another one if the description changes.
  var fingerprint: String {
    SHA256.hash(Array(Self.text(of: self).utf8)).prefix(16).hexadecimal
  }

  /// Returns a value with all its parts, those of dictionaries and sets in a fixed order.
  private static func text(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard !mirror.children.isEmpty else { return "\(value)" }
    var parts = mirror.children.map { ($0.label ?? "") + "=" + text(of: $0.value) }
    if mirror.displayStyle == .dictionary || mirror.displayStyle == .set { parts.sort() }
    return "(" + parts.joined(separator: ",") + ")"
  }
}
