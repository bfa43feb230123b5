import AppCore
import Foundation
import GtkShim

/// A window over the user's invoices; it reads the same configuration as the command `appcore`.
@main
final class Program {
  private let application = Object(
    UnsafeMutableRawPointer(adw_application_new("org.appcore.Invoices", G_APPLICATION_NON_UNIQUE)))
  private let core: ApplicationCore
  private var window: InvoicesWindow?
  private let start: ContinuousClock.Instant

  private init(core: ApplicationCore, start: ContinuousClock.Instant) {
    self.core = core
    self.start = start
  }

  static func main() {
    let start = ContinuousClock.now
    let core: ApplicationCore
    do {
      core = try ApplicationCore(configuration: try ConfigurationLoader().load())
    } catch {
      print("invoices-window: \(error.localizedDescription)")
      exit(78)
    }
    // The database opens while GTK starts.
    Task.detached { _ = try await core.databaseForReading() }
    exit(Program(core: core, start: start).run())
  }

  private func run() -> Int32 {
    shim_attach_main_queue()
    application.on("activate") { [unowned self] _ in activate() }
    return g_application_run(
      application.pointer.assumingMemoryBound(to: GApplication.self), 0, nil)
  }

  private func activate() {
    let application = application
    let window = InvoicesWindow(core: core) {
      g_application_quit(application.pointer.assumingMemoryBound(to: GApplication.self))
    }
    self.window = window
    gtk_window_set_application(
      window.window.pointer.assumingMemoryBound(to: GtkWindow.self),
      application.pointer.assumingMemoryBound(to: GtkApplication.self))
    window.shortcuts.add(to: application)
    window.present()
    if CommandLine.arguments.contains("--bench-scroll") {
      ScrollBenchmark(window, start: start).begin()
    }
  }
}
