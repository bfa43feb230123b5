import AppCore
import Foundation
import GtkShim

/// A window over the user's invoices; it reads the same configuration as the command `appcore`.
@main
final class Program {
  private let application = Object(
    UnsafeMutableRawPointer(adw_application_new("org.appcore.Invoices", G_APPLICATION_NON_UNIQUE)))
  /// The core and the first rows, which are read while GTK starts.
  private let opening = Task.detached(priority: .high) {
    let core = try ApplicationCore(configuration: try ConfigurationLoader().load())
    return (core: core, firstRows: FirstRows(of: core))
  }
  private var window: InvoicesWindow?
  private var status: Int32 = 0

  static func main() {
    exit(Program().run())
  }

  private func run() -> Int32 {
    shim_attach_main_queue()
    application.on("activate") { [unowned self] _ in activate() }
    let ending = g_application_run(gApplication, 0, nil)
    return ending == 0 ? status : ending
  }

  private var gApplication: UnsafeMutablePointer<GApplication> {
    application.pointer.assumingMemoryBound(to: GApplication.self)
  }

  private func activate() {
    if CommandLine.arguments.contains("--bench") { ScrollBenchmark.printTime("activated") }
    // Without a window, only a hold keeps the loop running.
    g_application_hold(gApplication)
    Task { [self] in
      do {
        let (core, firstRows) = try await opening.value
        open(InvoicesWindow(core: core) { [self] in g_application_quit(gApplication) }, firstRows)
      } catch {
        print("invoices-window: \(error.localizedDescription)")
        status = 78
      }
      g_application_release(gApplication)
    }
  }

  private func open(_ window: InvoicesWindow, _ firstRows: FirstRows) {
    self.window = window
    gtk_window_set_application(
      window.window.pointer.assumingMemoryBound(to: GtkWindow.self),
      application.pointer.assumingMemoryBound(to: GtkApplication.self))
    window.shortcuts.add(to: application)
    window.present(firstRows.page)
    if let option = CommandLine.arguments.firstIndex(of: "--bench") {
      ScrollBenchmark(window, scrolls: CommandLine.arguments[option...].contains("scroll")).begin()
    }
  }
}
