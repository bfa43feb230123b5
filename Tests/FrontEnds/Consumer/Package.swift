// swift-tools-version: 6.2

import PackageDescription

// A front end of its own: it sees what is public, and nothing else.

let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "appcore", path: "../../..")],
  targets: [
    .executableTarget(
      name: "consumer",
      dependencies: [
        .product(name: "AppCore", package: "appcore"),
        .product(name: "Authentication", package: "appcore"),
        .product(name: "Models", package: "appcore"),
        .product(name: "Networking", package: "appcore"),
        .product(name: "SecureStore", package: "appcore"),
        .product(name: "Storage", package: "appcore"),
        .product(name: "Sync", package: "appcore"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]
    )
  ],
  swiftLanguageModes: [.v6]
)
