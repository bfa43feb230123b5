extension Int {
  /// The number with a space between groups of three digits: `91 004` (ISO 80000-1).
  var grouped: String {
    let digits = String(magnitude)
    let first = digits.count % 3
    var groups = first > 0 ? [digits.prefix(first)] : []
    var rest = digits.dropFirst(first)
    while !rest.isEmpty {
      groups.append(rest.prefix(3))
      rest = rest.dropFirst(3)
    }
    return (self < 0 ? "-" : "") + groups.joined(separator: " ")
  }
}
