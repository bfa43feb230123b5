// swift-tools-version: 6.2

import PackageDescription

// The manifest is the map: one section per module with its test target, in the order of the
// layers, lowest first. CONTRIBUTING.md says what each module may import.

// Config/scripts/release-build names, a line each, the linker's options for what users run.
func linkerSettings(from variable: String) -> [LinkerSetting] {
  guard let options = Context.environment[variable] else { return [] }
  return [.unsafeFlags(options.split(separator: "\n").map(String.init))]
}
let programLinkerSettings = linkerSettings(from: "APPCORE_PROGRAM_LINKER_OPTIONS")
let libraryLinkerSettings = linkerSettings(from: "APPCORE_LIBRARY_LINKER_OPTIONS")

let package = Package(
  name: "appcore",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "AppCore", targets: ["AppCore"]),
    // SwiftPM has one product of a name, and `appcore` is the program. Config/scripts/install names
    // the file libappcore.so.0.
    .library(name: "appcore-c", type: .dynamic, targets: ["AppCoreC"]),
    .library(name: "Authentication", targets: ["Authentication"]),
    .library(name: "Documents", targets: ["Documents"]),
    .library(name: "ErrorCodes", targets: ["ErrorCodes"]),
    .library(name: "JSONReading", targets: ["JSONReading"]),
    .library(name: "Models", targets: ["Models"]),
    .library(name: "Networking", targets: ["Networking"]),
    .library(name: "PlainTextAccounting", targets: ["PlainTextAccounting"]),
    .library(name: "ProviderConformance", targets: ["ProviderConformance"]),
    .library(name: "Providers", targets: ["Providers"]),
    .library(name: "Reports", targets: ["Reports"]),
    .library(name: "SecureStore", targets: ["SecureStore"]),
    .library(name: "Storage", targets: ["Storage"]),
    .library(name: "Sync", targets: ["Sync"]),
    .executable(name: "appcore", targets: ["appcore"]),
    .executable(name: "appcore-sandbox", targets: ["appcore-sandbox"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    // Used by Config/scripts/docs alone: a plugin that no build of the package compiles.
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    // MARK: ErrorCodes

    .target(name: "ErrorCodes", path: "Modules/ErrorCodes"),

    // MARK: Models

    .target(name: "Models", path: "Modules/Models"),
    .testTarget(name: "ModelsTests", dependencies: ["Models"]),

    // MARK: SystemSupport

    .systemLibrary(
      name: "CGcrypt",
      path: "Modules/CGcrypt",
      pkgConfig: "libgcrypt",
      providers: [.apt(["libgcrypt20-dev"]), .yum(["libgcrypt-devel"])]
    ),
    // Config/scripts/install names the commit; any other build names none.
    .target(
      name: "CBuildInformation",
      path: "Modules/CBuildInformation",
      cSettings: Context.environment["APPCORE_COMMIT"].map {
        [.define("APPCORE_COMMIT", to: "\"\($0)\"")]
      } ?? []
    ),
    .target(
      name: "SystemSupport", dependencies: ["CBuildInformation", "CGcrypt"],
      path: "Modules/SystemSupport"),
    .testTarget(name: "SystemSupportTests", dependencies: ["SystemSupport", "TestSupport"]),

    // MARK: JSONReading

    .target(
      name: "JSONReading", dependencies: ["ErrorCodes", "Models"], path: "Modules/JSONReading"),
    .testTarget(name: "JSONReadingTests", dependencies: ["JSONReading", "Models"]),

    // MARK: SecureStore

    .systemLibrary(
      name: "CLibsecret",
      path: "Modules/CLibsecret",
      pkgConfig: "libsecret-1",
      providers: [.apt(["libsecret-1-dev"]), .yum(["libsecret-devel"])]
    ),
    .target(
      name: "SecureStore",
      dependencies: [
        "CLibsecret", "ErrorCodes", "SystemSupport",
      ],
      path: "Modules/SecureStore"
    ),
    .executableTarget(
      name: "keyring-probe", dependencies: ["SecureStore"], path: "Tests/KeyringProbe"),
    .testTarget(
      name: "SecureStoreTests", dependencies: ["SecureStore", "TestSupport", "keyring-probe"]),

    // MARK: Networking

    .target(
      name: "Networking",
      dependencies: [
        "ErrorCodes", "JSONReading", "SystemSupport",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Instrumentation", package: "swift-distributed-tracing"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      path: "Modules/Networking"
    ),
    .executableTarget(
      name: "networking-probe",
      dependencies: [
        "Networking", "TestSupport", "ThreadSanitizerSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/NetworkingProbe"
    ),
    .testTarget(
      name: "NetworkingTests",
      dependencies: [
        "Networking", "SystemSupport", "TestSupport", "networking-probe",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),

    // MARK: Authentication

    .target(
      name: "Authentication",
      dependencies: [
        "ErrorCodes", "JSONReading", "SystemSupport", "Networking", "SecureStore",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Modules/Authentication"
    ),
    .testTarget(
      name: "AuthenticationTests",
      dependencies: [
        "Authentication", "SystemSupport", "Networking", "Sandbox", "SecureStore", "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
      ]
    ),

    // MARK: Storage

    .target(
      name: "Storage",
      dependencies: [
        "ErrorCodes", "SystemSupport", "Models",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Modules/Storage"
    ),
    .testTarget(
      name: "StorageTests",
      dependencies: [
        "SystemSupport", "Models", "Storage", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),

    // MARK: Reports

    .target(
      name: "Reports", dependencies: ["ErrorCodes", "Models", "Storage", "SystemSupport"],
      path: "Modules/Reports"
    ),
    .testTarget(
      name: "ReportsTests",
      dependencies: ["Models", "Reports", "Storage", "TestSupport"]),

    // MARK: Documents

    .target(
      name: "Documents",
      dependencies: [
        "ErrorCodes", "Models", "Networking", "Storage", "SystemSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Modules/Documents"
    ),
    .testTarget(
      name: "DocumentsTests",
      dependencies: [
        "AppCore", "Documents", "ErrorCodes", "Models", "Networking", "Providers", "Sandbox",
        "Storage", "Sync", "SyncSupport", "SystemSupport", "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),

    // MARK: PlainTextAccounting

    .target(
      name: "PlainTextAccounting", dependencies: ["Models", "Storage"],
      path: "Modules/PlainTextAccounting"
    ),
    .testTarget(
      name: "PlainTextAccountingTests",
      dependencies: ["Models", "PlainTextAccounting", "Storage", "SyncSupport", "TestSupport"]),

    // MARK: Sync

    .target(
      name: "Sync",
      dependencies: [
        "ErrorCodes", "SystemSupport", "Models", "Networking", "Storage",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Modules/Sync"
    ),

    // MARK: Providers

    .target(
      name: "Providers",
      dependencies: [
        "Authentication", "Documents", "JSONReading", "Models", "Networking", "Storage", "Sync",
        "SystemSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Modules/Providers"
    ),
    .target(
      name: "SyncSupport",
      dependencies: [
        "Models", "Networking", "Providers", "Storage", "Sync", "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Tests/SyncSupport"
    ),
    .executableTarget(
      name: "sync-simulation",
      dependencies: [
        "SystemSupport", "Authentication", "Models", "Networking", "SecureStore", "Storage",
        "Providers", "Sync", "SyncSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/SyncSimulation"
    ),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Authentication", "Models", "Networking", "SecureStore", "Storage",
        "Providers", "Sync", "SyncSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/Fuzzing",
      exclude: ["Corpus"]
    ),
    .testTarget(
      name: "SyncTests",
      dependencies: [
        "fuzz", "JSONReading", "Models", "Networking", "Providers", "Storage", "Sync",
        "SyncSupport", "SystemSupport", "TestSupport", "sync-simulation",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .testTarget(
      name: "ProvidersTests",
      dependencies: [
        "Documents", "JSONReading", "Models", "Networking", "ProviderConformance", "Providers",
        "Sandbox", "Storage", "Sync", "SyncSupport", "SystemSupport", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),

    // Requests and stored invoices, held against what the vendors publish of their APIs.
    .testTarget(
      name: "SpecificationTests",
      dependencies: [
        "Documents", "Models", "Networking", "Providers", "Sandbox", "Storage", "Sync",
        "SyncSupport",
        "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Yams", package: "Yams"),
      ]
    ),

    // MARK: ProviderConformance

    .target(
      name: "ProviderConformance",
      dependencies: [
        "Documents", "Models", "Networking", "Providers", "Storage", "Sync",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Modules/ProviderConformance"
    ),
    // As a front end sees the package: what is not public is not there.
    .testTarget(
      name: "FrontEndTests",
      dependencies: [
        "AppCore", "Authentication", "Documents", "ErrorCodes", "JSONReading", "Models",
        "Networking", "PlainTextAccounting", "ProviderConformance", "Providers", "Reports",
        "SecureStore",
        "Storage", "Sync",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      packageAccess: false
    ),

    // MARK: AppCore

    // The folder of the descriptions is a link to Config/providers.
    .target(
      name: "ProviderDescriptions", path: "Modules/ProviderDescriptions",
      resources: [.embedInCode("providers")]),
    .target(
      name: "AppCore",
      dependencies: [
        "Authentication", "Documents", "ErrorCodes", "JSONReading", "SystemSupport", "Models",
        "Networking", "ProviderDescriptions", "Providers", "SecureStore", "Storage", "Sync",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Yams", package: "Yams"),
      ],
      path: "Modules/AppCore"
    ),
    .testTarget(
      name: "AppCoreTests",
      dependencies: [
        "AppCore", "Authentication", "Documents", "ErrorCodes", "SystemSupport", "Models",
        "Networking", "Sandbox", "Providers", "SecureStore", "Storage", "Sync", "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),

    .testTarget(
      name: "DescriptionTests",
      dependencies: [
        "AppCore", "Documents", "Models", "Networking", "ProviderConformance",
        "ProviderDescriptions", "Providers", "Sandbox", "Storage", "Sync",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      exclude: ["Examples"]
    ),

    // MARK: Presentation

    .target(
      name: "Presentation",
      dependencies: [
        "AppCore", "Authentication", "Documents", "ErrorCodes", "Models", "Networking", "Providers",
        "SecureStore", "Storage", "Sync", "SystemSupport",
      ],
      path: "Modules/Presentation"
    ),

    // MARK: SingerTap

    .target(
      name: "SingerTap",
      dependencies: ["AppCore", "JSONReading", "Models", "Presentation", "Storage"],
      path: "Modules/SingerTap"
    ),
    .testTarget(
      name: "SingerTapTests",
      dependencies: [
        "AppCore", "JSONReading", "Models", "Presentation", "SingerTap", "Storage", "SyncSupport",
        "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),

    // MARK: C interface

    .systemLibrary(name: "CAppCore", path: "Modules/AppCoreC/include"),
    .systemLibrary(name: "CEventFD", path: "Modules/CEventFD"),
    .target(name: "CPoolMonitor", path: "Modules/CPoolMonitor"),
    .target(
      name: "AppCoreC",
      dependencies: [
        "AppCore", "Authentication", "CAppCore", "CEventFD", "CPoolMonitor", "Documents",
        "Presentation", "ErrorCodes", "JSONReading", "Models", "Networking", "Providers", "Storage",
        "Sync",
        "SystemSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Modules/AppCoreC",
      exclude: ["include", "libappcore.map", "Python"],
      linkerSettings: libraryLinkerSettings
    ),
    .testTarget(
      name: "AppCoreCTests",
      dependencies: [
        "AppCoreC", "Authentication", "CAppCore", "Documents", "Presentation", "ErrorCodes",
        "Models",
        "Networking", "Providers", "Storage", "Sync", "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]),

    // MARK: Command line

    .systemLibrary(name: "CProcess", path: "Modules/CProcess"),
    // The headers of GLib and GIO come with libsecret-1-dev.
    .systemLibrary(
      name: "CGio",
      path: "Modules/CGio",
      pkgConfig: "gio-2.0",
      providers: [.apt(["libglib2.0-dev"]), .yum(["glib2-devel"])]
    ),
    .target(
      name: "Notifications", dependencies: ["CGio", "SystemSupport"], path: "Modules/Notifications"),
    .testTarget(
      name: "NotificationsTests", dependencies: ["Notifications", "TestSupport"]),
    .target(
      name: "AppCoreCommands",
      dependencies: [
        "AppCore", "Authentication", "CProcess", "Documents", "ErrorCodes", "Models", "Networking",
        "Notifications", "PlainTextAccounting", "Presentation", "Providers", "Reports",
        "SecureStore", "SingerTap", "Storage", "Sync", "SystemSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Modules/AppCoreCommands"
    ),
    .executableTarget(
      name: "appcore",
      dependencies: ["AppCoreCommands"],
      path: "Modules/appcore",
      linkerSettings: programLinkerSettings
    ),
    .testTarget(
      name: "AppCoreCommandsTests",
      dependencies: [
        "AppCore", "AppCoreCommands", "Authentication", "Documents", "ErrorCodes", "Models",
        "Networking", "Presentation", "Providers", "Reports", "Sandbox", "SecureStore", "Storage",
        "Sync", "SystemSupport",
        "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["HelpPages", "JSONDocuments"]
    ),

    // MARK: Sandbox

    .target(
      name: "Sandbox",
      dependencies: [
        "JSONReading", "Models", "Networking", "Providers", "SystemSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      path: "Modules/Sandbox"
    ),
    .executableTarget(
      name: "appcore-sandbox",
      dependencies: ["AppCore", "Sandbox"],
      path: "Modules/appcore-sandbox",
      linkerSettings: programLinkerSettings
    ),
    .testTarget(
      name: "SandboxTests",
      dependencies: [
        "Models", "Networking", "Sandbox", "SystemSupport", "TestSupport", "appcore-sandbox",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      exclude: ["HelpPages"]
    ),

    // MARK: Tests of the whole

    .target(
      name: "TestSupport",
      dependencies: [
        "Models", "SystemSupport", "ThreadSanitizerSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOTLS", package: "swift-nio"),
      ],
      path: "Tests/TestSupport"
    ),
    .target(name: "ThreadSanitizerSupport", path: "Tests/ThreadSanitizerSupport"),
    .executableTarget(
      name: "authentication-probe",
      dependencies: ["SystemSupport", "Authentication", "Networking", "SecureStore"],
      path: "Tests/AuthenticationProbe"
    ),
    .executableTarget(
      name: "appcore-benchmarks",
      dependencies: [
        "AppCoreCommands", "Authentication", "Models", "Networking", "SecureStore", "Storage",
        "Providers", "Sandbox", "Sync", "SyncSupport", "TestSupport",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/Benchmarks",
      exclude: ["Peers"],
      linkerSettings: programLinkerSettings
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "appcore", "appcore-sandbox", "AppCoreCommands", "authentication-probe", "Authentication",
        "Models", "Networking", "Reports", "Sandbox", "SecureStore", "Storage", "SyncSupport",
        "SystemSupport", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// One loop for every target of ours, so that no target can lose a setting.
for target in package.targets
where target.type != .system
  && !["CBuildInformation", "ThreadSanitizerSupport"].contains(target.name)
{
  var settings = target.swiftSettings ?? []
  settings += [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
  if target.name == "SecureStore" { settings.append(.strictMemorySafety()) }
  target.swiftSettings = settings
}
