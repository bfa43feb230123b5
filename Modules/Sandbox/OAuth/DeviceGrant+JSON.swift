extension DeviceGrant {
  /// The answer of the device authorization endpoint (RFC 8628 section 3.2).
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
