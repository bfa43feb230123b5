/// A device that waits for the user's approval (RFC 8628).
struct DeviceGrant: Sendable {
  enum Decision: Sendable {
    case approved, denied
  }

  let deviceCode: String
  let userCode: String
  let clientID: String
  let scope: Scope
  let expiresAt: GrantLedger.Instant
  var interval: Duration
  var lastAskedAt: GrantLedger.Instant?
  var decision: Decision?
  var isSpent = false
}

extension GrantLedger {
  static let deviceCodeLifetime = Duration.seconds(600)

  mutating func issueDeviceCode(clientID: String, scope: Scope, at now: Instant) -> DeviceGrant {
    // Letters that cannot be confused with one another (RFC 8628 section 6.1).
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    let word = (0..<8).compactMap { _ in letters.randomElement() }
    let device = DeviceGrant(
      deviceCode: RandomToken.make(), userCode: String(word[..<4]) + "-" + String(word[4...]),
      clientID: clientID, scope: scope, expiresAt: now + Self.deviceCodeLifetime,
      interval: deviceInterval)
    devices[device.deviceCode] = device
    return device
  }

  func undecidedDevice(userCode: String, at now: Instant) -> DeviceGrant? {
    devices.values.first {
      $0.userCode == userCode.uppercased() && $0.decision == nil && now < $0.expiresAt
    }
  }

  mutating func decide(userCode: String, isApproved: Bool, at now: Instant) -> Bool {
    guard let device = undecidedDevice(userCode: userCode, at: now) else { return false }
    devices[device.deviceCode]?.decision = isApproved ? .approved : .denied
    return true
  }

  /// Exchanges a device code once it was approved (RFC 8628 sections 3.4 and 3.5).
  mutating func exchange(
    deviceCode: String, clientID: String, at now: Instant
  ) throws(OAuthError) -> TokenReply {
    guard var device = devices[deviceCode], device.clientID == clientID, !device.isSpent else {
      throw OAuthError(.invalidGrant, "The device code is unknown or was used before.")
    }
    guard now < device.expiresAt else {
      throw OAuthError(.expiredToken, "The device code has expired.")
    }
    let isHasty = device.lastAskedAt.map { now - $0 < device.interval } ?? false
    device.lastAskedAt = now
    if isHasty { device.interval += .seconds(5) }
    device.isSpent = device.decision != nil && !isHasty
    devices[deviceCode] = device
    if isHasty { throw OAuthError(.slowDown, "The device asks too often.") }
    switch device.decision {
    case nil: throw OAuthError(.authorizationPending, "Nobody has decided yet.")
    case .denied: throw OAuthError(.accessDenied, "The user denied the request.")
    case .approved:
      let grantID = addGrant(clientID: clientID, scope: device.scope)
      return issue(grantID: grantID, scope: device.scope, canRefresh: true, at: now)
    }
  }
}

extension DeviceGrant {
  /// Returns the response of the device authorization endpoint (RFC 8628 section 3.2).
  func json(page: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("device_code", deviceCode)
      writer.member("user_code", userCode)
      writer.member("verification_uri", page)
      writer.member("verification_uri_complete", page + "?user_code=" + userCode)
      writer.member("expires_in", Int(GrantLedger.deviceCodeLifetime.components.seconds))
      writer.member("interval", Int(interval.components.seconds))
    }
    return writer.bytes
  }
}
