import Foundation
import GtkShim

/// The message above the list: a problem in words, and the user's remedy.
final class Banner {
  private let layout: Layout
  private var action: () -> Void = {}

  init(_ layout: Layout) {
    self.layout = layout
    layout["banner-action"].on("clicked") { [unowned self] _ in action() }
    layout["banner-close"].on("clicked") { [unowned self] _ in hide() }
  }

  /// Shows an error as its module words it.
  func show(_ error: any Error, action: String? = nil, do run: @escaping () -> Void = {}) {
    let text = error.localizedDescription
    show(
      text.prefix(1).uppercased() + text.dropFirst(),
      remedy: (error as? any LocalizedError)?.recoverySuggestion ?? "", action: action, do: run)
  }

  func show(
    _ problem: String, remedy: String, action: String? = nil, do run: @escaping () -> Void = {}
  ) {
    layout["banner-problem"].set("label", problem)
    layout["banner-remedy"].set("label", remedy)
    layout["banner-remedy"].set("visible", !remedy.isEmpty)
    layout["banner-action"].set("visible", action != nil)
    layout["banner-action"].set("label", action ?? "")
    self.action = run
    layout["banner"].set("reveal-child", true)
  }

  func hide() { layout["banner"].set("reveal-child", false) }
}
