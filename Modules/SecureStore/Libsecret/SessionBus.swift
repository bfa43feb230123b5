import Foundation

/// The D-Bus session bus of the process.
enum SessionBus {
  /// The bus's address, or `nil`.
  ///
  /// It has to be known before libsecret is called: without an address, GDBus starts `dbus-launch`
  /// children that never end.
  static var address: String? {
    let environment = ProcessInfo.processInfo.environment
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let runtime = environment["XDG_RUNTIME_DIR"], !runtime.isEmpty else { return nil }
    let socket = runtime + "/bus"
    return FileManager.default.fileExists(atPath: socket) ? "unix:path=" + socket : nil
  }
}
