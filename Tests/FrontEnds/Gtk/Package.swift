// swift-tools-version: 6.2

import PackageDescription

// A window over the core: GTK 4 and libadwaita through a system library, and a few functions in C
// that Swift cannot have by itself.

let package = Package(
  name: "InvoicesWindow",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "appcore", path: "../../..")],
  targets: [
    .systemLibrary(
      name: "CGtk", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
    .target(name: "GtkShim", dependencies: ["CGtk"]),
    .executableTarget(
      name: "invoices-window",
      dependencies: [
        "GtkShim",
        .product(name: "AppCore", package: "appcore"),
        .product(name: "Authentication", package: "appcore"),
        .product(name: "Documents", package: "appcore"),
        .product(name: "Models", package: "appcore"),
        .product(name: "SecureStore", package: "appcore"),
        .product(name: "Storage", package: "appcore"),
        .product(name: "Sync", package: "appcore"),
      ],
      swiftSettings: [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
