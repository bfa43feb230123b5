import Foundation
import GtkShim

/// Scrolls through the list, and counts the frames that GTK's frame clock paints.
///
/// First as a wheel does, 40 pixels a frame; then as a dragged scroll bar does, through the whole
/// list.
final class ScrollBenchmark {
  private static let phases = [(name: "wheel", seconds: 5.0), (name: "drag", seconds: 5.0)]

  private let window: InvoicesWindow
  private let start: ContinuousClock.Instant
  private var presented: ContinuousClock.Instant
  private var isFilled = false
  private var phase = -1
  private var times: [Int] = []
  private var blanksBefore = 0

  init(_ window: InvoicesWindow, start: ContinuousClock.Instant) {
    self.window = window
    self.start = start
    presented = start
  }

  /// Waits for the first rows, then scrolls.
  func begin() {
    presented = .now
    window.list.onFilled = { [self] in if window.list.count > 0 { isFilled = true } }
    guard let clock = gtk_widget_get_frame_clock(window.window.widget) else { return }
    Object(UnsafeMutableRawPointer(clock)).on("after-paint") { [self] _ in painted() }
    Object(UnsafeMutableRawPointer(clock)).on("update") { [self] _ in
      if phase >= 0 { scroll(at: gdk_frame_clock_get_frame_time(clock)) }
    }
  }

  /// Begins to scroll once the first rows are on the screen.
  private func painted() {
    guard isFilled, phase == -1, let clock = gtk_widget_get_frame_clock(window.window.widget) else {
      return
    }
    report(
      "\(window.list.count) invoices: first rows painted \(milliseconds(.now - start)) ms "
        + "after main began, \(milliseconds(.now - presented)) ms after the window was presented")
    phase = 0
    blanksBefore = window.list.blanks
    gdk_frame_clock_begin_updating(clock)
  }

  private func scroll(at time: Int) {
    times.append(time)
    let elapsed = Double(time - times[0]) / 1_000_000
    let name = Self.phases[phase].name
    let length = Self.phases[phase].seconds
    guard let bar = gtk_scrolled_window_get_vadjustment(window.layout["scroller"].opaque) else {
      return
    }
    let end = gtk_adjustment_get_upper(bar) - gtk_adjustment_get_page_size(bar)
    let value = name == "wheel" ? gtk_adjustment_get_value(bar) + 40 : end * elapsed / length
    gtk_adjustment_set_value(bar, min(value, end))
    guard elapsed >= length else { return }
    finishPhase(name, elapsed, rows: min(value, end) / max(1, gtk_adjustment_get_upper(bar)))
  }

  private func finishPhase(_ name: String, _ elapsed: Double, rows: Double) {
    let gaps = zip(times.dropFirst(), times).map { Double($0 - $1) / 1_000 }
    let late = gaps.count { $0 > 25 }
    report(
      "\(name): \(gaps.count) frames in \(String(format: "%.2f", elapsed)) s, "
        + "\(String(format: "%.1f", Double(gaps.count) / elapsed)) frames/s, "
        + "longest gap \(String(format: "%.1f", gaps.max() ?? 0)) ms, \(late) gaps over 25 ms, "
        + "down to row \(Int(rows * Double(window.list.count))), "
        + "\(window.list.blanks - blanksBefore) rows bound before they were read")
    blanksBefore = window.list.blanks
    times = []
    phase += 1
    if phase == Self.phases.count { window.close() }
    phase = phase == Self.phases.count ? -2 : phase
  }

  private func report(_ text: String) { print("bench-scroll: \(text)") }

  private func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }
}
