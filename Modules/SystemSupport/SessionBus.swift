import Foundation

/// The D-Bus session bus of the process.
package enum SessionBus {
  /// The bus's address, or `nil`.
  ///
  /// It has to be known before GDBus is called: without an address, GDBus starts `dbus-launch`
  /// children that never end.
  package static var address: String? { address(in: ProcessInfo.processInfo.environment) }

  /// Returns the address that environment variables lead to, or `nil`.
  package static func address(in environment: [String: String]) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let runtime = environment["XDG_RUNTIME_DIR"], !runtime.isEmpty else { return nil }
    let socket = runtime + "/bus"
    return FileManager.default.fileExists(atPath: socket) ? "unix:path=" + socket : nil
  }
}
