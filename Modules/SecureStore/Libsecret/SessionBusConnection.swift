import CLibsecret

/// A trial connection to a D-Bus session bus, for a diagnosis.
package enum SessionBusConnection {
  /// The error of a bus that cannot be reached.
  package struct Failed: Error {
    /// The reason in the words of GIO, such as `Could not connect: Connection refused`.
    package let reason: String
  }

  /// Connects to a bus and disconnects again.
  ///
  /// - Throws: ``Failed``; `SecretStoreError.timedOut` if the bus does not answer in time.
  package static func check(_ address: String, within limit: Duration = .seconds(3)) async throws {
    let cancellable = Cancellable()
    try await KeyringThread.prompts.run(
      "connecting to the D-Bus session", within: limit, cancel: { cancellable.cancel() },
      body: {
        var error: UnsafeMutablePointer<GError>?
        let bus = unsafe appcore_connect_bus(address, cancellable.pointer, &error)
        if let bus = unsafe bus { unsafe g_object_unref(UnsafeMutableRawPointer(bus)) }
        guard let failure = unsafe error else { return }
        defer { unsafe g_error_free(failure) }
        throw unsafe Failed(reason: String(cString: failure.pointee.message))
      })
  }
}
