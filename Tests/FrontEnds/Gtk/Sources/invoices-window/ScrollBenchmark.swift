import Foundation
import GtkShim

/// Prints when GTK had started and when the first rows were painted; then scrolls through the list, and counts the frames
/// that GTK's frame clock paints.
///
/// First as a wheel does, 40 pixels a frame; then as a dragged scroll bar does, through the whole
/// list. A line has the speed in frames a second, the longest gap between two frames in
/// milliseconds, the gaps over 25 ms, and the rows that came into view before they were read.
final class ScrollBenchmark {
  private static let phases = [(name: "wheel", seconds: 5.0), (name: "drag", seconds: 5.0)]

  private let window: InvoicesWindow
  private let scrolls: Bool
  private var phase = -1
  private var times: [Int] = []
  private var blanksBefore = 0

  init(_ window: InvoicesWindow, scrolls: Bool) {
    self.window = window
    self.scrolls = scrolls
  }

  /// Prints the time of the clock on the wall, in seconds.
  static func printTime(_ what: String) {
    print("\(what) \(String(format: "%.6f", Date.now.timeIntervalSince1970))")
  }

  /// Waits for the first rows, then scrolls.
  func begin() {
    guard let clock = gtk_widget_get_frame_clock(window.window.widget) else { return }
    Object(UnsafeMutableRawPointer(clock)).on("after-paint") { [self] _ in painted() }
    Object(UnsafeMutableRawPointer(clock)).on("update") { [self] _ in
      if phase >= 0 { scroll(at: gdk_frame_clock_get_frame_time(clock)) }
    }
  }

  /// Begins to scroll once the first rows are on the screen.
  private func painted() {
    guard phase == -1, window.list.hasFirstRows,
      let clock = gtk_widget_get_frame_clock(window.window.widget)
    else { return }
    Self.printTime("first-rows")
    guard scrolls else {
      phase = -2
      return window.close()
    }
    phase = 0
    gdk_frame_clock_begin_updating(clock)
  }

  private func scroll(at time: Int) {
    times.append(time)
    let elapsed = Double(time - times[0]) / 1_000_000
    let (name, seconds) = Self.phases[phase]
    guard let bar = gtk_scrolled_window_get_vadjustment(window.layout["scroller"].opaque) else {
      return
    }
    let end = gtk_adjustment_get_upper(bar) - gtk_adjustment_get_page_size(bar)
    let value = name == "wheel" ? gtk_adjustment_get_value(bar) + 40 : end * elapsed / seconds
    gtk_adjustment_set_value(bar, min(value, end))
    if elapsed >= seconds { finishPhase(name, elapsed) }
  }

  private func finishPhase(_ name: String, _ elapsed: Double) {
    let gaps = zip(times.dropFirst(), times).map { Double($0 - $1) / 1_000 }
    let speed = String(format: "%.1f %.1f", Double(gaps.count) / elapsed, gaps.max() ?? 0)
    print("\(name) \(speed) \(gaps.count { $0 > 25 }) \(window.list.blanks - blanksBefore)")
    blanksBefore = window.list.blanks
    times = []
    phase += 1
    guard phase == Self.phases.count else { return }
    phase = -2
    window.close()
  }
}
