import Foundation
import TestSupport
import Testing

/// `Config/scripts/install` and `Config/scripts/uninstall`, with the program that the tests have.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp) struct InstallationTests {
  private let home: TemporaryDirectory
  private let environment: [String: String]

  init() throws {
    home = try TemporaryDirectory()
    environment = [
      "HOME": home.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    ]
  }

  private func script(
    _ name: String, _ arguments: String..., with variables: [String: String] = [:]
  ) async throws -> ChildProcess.Ending {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try await ChildProcess(
      root.appending(path: "Config/scripts/\(name)").path(percentEncoded: false), arguments,
      environment: environment.merging(variables) { $1 }
    ).ending()
  }

  private func contents() -> Set<String> {
    Set(FileManager.default.enumerator(atPath: home.path)?.allObjects as? [String] ?? [])
  }

  @Test("an installed program works where it is, and uninstalling leaves nothing")
  func installAndUninstall() async throws {
    let program = try ChildProcess.built("appcore")
    _ = try home.write("another program's page", to: "other")
    try FileManager.default.createDirectory(
      atPath: home.file(".local/share/man/man1"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: home.file("other"), toPath: home.file(".local/share/man/man1/other.1"))
    let before = contents()
    // Twice, as after an update.
    for _ in 0..<2 {
      let ending = try await script(
        "install", "--binary", program, "--sandbox", try ChildProcess.built("appcore-sandbox"))
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(ending.output.hasPrefix("Installed appcore "), "\(ending.output)")
    }
    let installed = contents().subtracting(before)
    for file in [
      "bin/appcore", "bin/tap-appcore", "share/bash-completion/completions/appcore",
      "share/zsh/site-functions/_appcore", "share/fish/vendor_completions.d/appcore.fish",
      "share/bash-completion/completions/appcore-sandbox",
      "share/zsh/site-functions/_appcore-sandbox",
      "share/fish/vendor_completions.d/appcore-sandbox.fish",
      "share/man/man1/appcore-sync-all.1.gz", "share/man/man7/appcore-exit-codes.7.gz",
      "share/man/man1/appcore-sandbox.1.gz", "share/man/man1/appcore-sandbox-serve.1.gz",
      "share/systemd/user/appcore-notify.service", "share/systemd/user/appcore-sync.timer",
      "share/doc/appcore/LICENSE", "share/doc/appcore/rest-provider.yaml",
      "share/doc/appcore/providers/business-central.yaml",
      "share/doc/appcore/licenses/Yams/LICENSE", "share/appcore/manifest",
      "share/appcore/uninstall", "share/man/man7/appcore-try-the-sandbox.7.gz",
      "share/man/man7/appcore-sql.7.gz", "share/doc/appcore/guides/Querying.md",
      "share/doc/appcore/examples/C/sync.c", "share/doc/appcore/examples/Rust/appcore.rs",
      "share/doc/appcore/examples/Python/sync.py", "share/appcore/python/pyproject.toml",
    ] {
      #expect(installed.contains(".local/" + file), "\(file)")
    }
    #expect(!installed.contains(".local/share/man/man1/appcore-sandbox-help.1.gz"))
    let unit = try String(
      contentsOfFile: home.file(".local/share/systemd/user/appcore-sync.service"), encoding: .utf8)
    #expect(unit.contains("ExecStart=\"\(home.path)/.local/bin/appcore\" sync all "), "\(unit)")
    let version = try await ChildProcess(
      home.file(".local/bin/appcore"), ["--version"], environment: environment
    ).ending()
    #expect(version.status == 0 && version.output.hasPrefix("appcore 0."))
    // The README's next step, which finds the sandbox in the program's folder.
    let data = try TemporaryDirectory()
    let setup = try await ChildProcess(
      home.file(".local/bin/appcore"), ["setup", "--sandbox"],
      environment: environment.merging(["TMPDIR": data.path]) { $1 }
    ).ending()
    #expect(setup.status == 0, "\(setup.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: data.path).count == 1)

    // The user's own files stay, and are named.
    try FileManager.default.createDirectory(
      atPath: home.file(".config/appcore"), withIntermediateDirectories: true)
    // Where it was built, nothing is needed any more.
    let ending = try await ChildProcess(
      home.file(".local/share/appcore/uninstall"), [], environment: environment
    ).ending()
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.output.contains(
        "These folders with the configuration, the invoices, encrypted logins and the locks "
          + "stay:\n"),
      "\(ending.output)")
    #expect(ending.output.contains("\n  \(home.path)/.config/appcore\n"), "\(ending.output)")
    #expect(!ending.output.contains(".local/state"), "\(ending.output)")
    try FileManager.default.removeItem(atPath: home.file(".config"))
    #expect(contents() == before)
    #expect(try await script("uninstall").status == 1)
  }

  @Test("an installed script removes its own prefix, wherever it is called")
  func ownUninstall() async throws {
    let prefix = home.file("my prefix")
    let program = try ChildProcess.built("appcore")
    #expect(try await script("install", "--prefix", prefix, "--binary", program).status == 0)
    let ending = try await ChildProcess(
      "/bin/sh", ["-c", "cd / && exec \"$0\"", prefix + "/share/appcore/uninstall"],
      environment: environment
    ).ending()
    #expect(ending.status == 0 && ending.output.contains("Removed appcore from \(prefix)."))
    #expect(contents().isEmpty)
  }

  @Test("each guide is a manual page without a mark of Markdown, and has the commands of its text")
  func guidePages() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Modules/AppCore/AppCore.docc")
    let guides = try FileManager.default.contentsOfDirectory(
      at: root, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "md" }
    #expect(guides.count > 20)
    for guide in guides {
      let path = guide.path(percentEncoded: false)
      let name = try await script("guide-page", "--name", path).output
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let page = try await script("guide-page", path, "1.2.3")
      #expect(page.status == 0 && page.errors.isEmpty, "\(page.errors)")
      #expect(page.output.hasPrefix(".TH \(name.uppercased()) 7 \"\" \"appcore 1.2.3\""), "\(name)")
      for mark in ["`", "<doc:", "<!--", "](", "\n|", "\n#"] {
        let text = page.output.replacing(#/(?s)\.nf\n.*?\n\.fi/#, with: "")
        #expect(!text.contains(mark), "\(mark) in \(name)")
      }
    }
    let sandbox = try await script(
      "guide-page", root.appending(path: "TryTheSandbox.md").path(percentEncoded: false), "1")
    #expect(sandbox.output.contains("\\fBappcore\\-testing\\-front\\-ends\\fR(7)"))
    #expect(sandbox.output.contains("appcore\\-sandbox serve \\-\\-port 8914 "))
  }

  @Test("a program that is too large or names no commit is no release")
  func release() async throws {
    func program(_ version: String, size: UInt64? = nil) throws -> String {
      let path = try home.write("#!/bin/sh\necho '\(version)'\nexit\n", to: UUID().uuidString)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      if let size {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: size)
        try file.close()
      }
      return path
    }
    let good = try program("appcore 0.1.0 (abc1234)", size: 40_000_000)
    #expect(try await script("check-release", good).status == 0)
    #expect(try await script("check-release", "--commit", "abc1234", good).status == 0)
    let old = try await script("check-release", "--commit", "abc1235-dirty", good)
    #expect(old.status == 1 && old.errors.contains("does not name commit abc1235-dirty"))
    let nameless = try program("appcore 0.1.0")
    let refused = try await script("check-release", nameless)
    #expect(refused.status == 1 && refused.errors.contains("names no commit: appcore 0.1.0."))
    // A source folder without git has no commit to name.
    #expect(try await script("check-release", "--commit", "", nameless).status == 0)
    let large = try program("appcore 0.1.0 (abc1234-dirty)", size: 40_000_001)
    let ending = try await script("check-release", large)
    #expect(ending.status == 1)
    #expect(ending.errors.contains("has 40000001 bytes, and may have 40000000."))
    #expect(try await script("check-release", "--any-size", large).status == 0)
  }

  @Test("a prefix that did not exist is removed again, whatever its name")
  func newPrefix() async throws {
    let prefix = home.file("a folder with 100% & more")
    let program = try ChildProcess.built("appcore")
    let ending = try await script("install", "--prefix", prefix, "--binary", program)
    #expect(ending.status == 0, "\(ending.errors)")
    let unit = try String(
      contentsOfFile: prefix + "/share/systemd/user/appcore-sync.service", encoding: .utf8)
    // systemd reads a percent sign as the start of a specifier.
    #expect(unit.contains("ExecStart=\"\(home.path)/a folder with 100%% & more/bin/appcore\" "))
    // A relative prefix begins at the working folder.
    let path = FileManager.default.currentDirectoryPath
    let depth = path.split(separator: "/").count
    let relative = String(repeating: "../", count: depth) + prefix.dropFirst()
    let removed = try await script("uninstall", "--prefix", relative)
    #expect(removed.status == 0 && !removed.output.contains("These folders"), "\(removed)")
    #expect(removed.output.contains("Removed appcore from \(path)/\(relative)."), "\(removed)")
    #expect(removed.output.contains("Logins in the system keyring stay"), "\(removed)")
    #expect(contents().isEmpty)
    #expect(try await script("install", "--perfix", prefix).status == 64)
    #expect(contents().isEmpty)
  }

  @Test(
    "systemd can read the unit of a prefix with quotes and backslashes, and pkg-config its file",
    .enabled(if: ChildProcess.find("systemd-analyze") != nil, "systemd-analyze is not installed"))
  func quotedPrefix() async throws {
    let prefix = home.file(#"it's "a\b" $HOME 100%"#)
    let program = try ChildProcess.built("appcore")
    let ending = try await script(
      "install", "--prefix", prefix, "--binary", program, "--library", program)
    #expect(ending.status == 0, "\(ending.errors)")
    let unit = prefix + "/share/systemd/user/appcore-sync.service"
    // Its path must not depend on the prefix, since systemd-analyze reads it as a name.
    try FileManager.default.copyItem(atPath: unit, toPath: home.file("appcore-sync.service"))
    let analyze = try #require(ChildProcess.find("systemd-analyze"))
    let verified = try await ChildProcess(
      analyze, ["verify", "--man=no", home.file("appcore-sync.service")],
      environment: ["PATH": "/usr/bin:/bin"]
    ).ending()
    #expect(!verified.errors.contains("appcore-sync.service:"), "\(verified.errors)")
    let line = try #require(
      try String(contentsOfFile: unit, encoding: .utf8).split(separator: "\n")
        .first { $0.hasPrefix("ExecStart=") })
    #expect(line.contains(#"exec "$$0" "$$@""#) && line.contains(#"\"a\\b\" $$HOME 100%%"#))
    if let tool = ChildProcess.find("pkg-config") {
      let flags = try await ChildProcess(
        tool, ["--cflags", "--libs", "appcore"],
        environment: ["PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": prefix + "/lib/pkgconfig"]
      ).ending()
      #expect(flags.status == 0 && flags.output.contains("-lappcore"), "\(flags)")
    }
  }

  @Test("an installation runs no program from the folder for temporary files")
  func noTemporaryPrograms() async throws {
    let temporary = try TemporaryDirectory()
    // A folder that forbids to run its files makes a program end in the same way.
    let program = try home.write(
      """
      #!/bin/sh
      case $0 in "$TMPDIR"/*) exit 126 ;; esac
      exec '\(try ChildProcess.built("appcore"))' "$@"

      """, to: "program")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let ending = try await script(
      "install", "--prefix", home.file("prefix"), "--binary", program,
      with: ["TMPDIR": temporary.path])
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test("an installation without a folder, or with parts that a build would replace, does nothing")
  func refused() async throws {
    let program = try ChildProcess.built("appcore")
    for name in ["install", "uninstall"] {
      let ending = try await script(name, with: ["HOME": ""])
      #expect(ending.status == 64 && ending.errors.contains("--prefix DIR"), "\(ending)")
    }
    for option in ["--sandbox", "--library"] {
      let ending = try await script("install", option, program)
      #expect(ending.status == 64 && ending.errors.contains("need --binary"), "\(ending)")
    }
    #expect(contents().isEmpty)
  }

  @Test(
    "a script explains itself and refuses unknown words, before it does anything",
    arguments: ["setup", "test", "check", "demo", "prove", "bench"])
  func help(name: String) async throws {
    let help = try await script(name, "--help")
    #expect(help.status == 0 && help.output.contains("Usage: Config/scripts/\(name)"), "\(help)")
    let ending = try await script(name, "--unknown")
    #expect(ending.status == 64 && ending.errors.contains("--help"), "\(ending)")
    #expect(ending.output.isEmpty)
  }

  @Test(
    "nothing is built as root, and sudo writes only files that the user may not write",
    .enabled(if: getuid() == 0 && ChildProcess.find("setpriv") != nil, "this needs root"))
  func sudo() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let scripts = root.appending(path: "Config/scripts").path(percentEncoded: false)
    let refused = try await ChildProcess(
      scripts + "/install", ["--prefix", home.file("prefix")],
      environment: environment.merging(["SUDO_USER": "me"]) { $1 }
    ).ending()
    #expect(refused.status == 64 && refused.errors.contains("without sudo"), "\(refused.errors)")

    let bin = try home.write("#!/bin/sh\necho \"$@\" >>\"$SUDO_LOG\"\n", to: "sudo")
    let log = try home.write("", to: "log")
    for (path, mode) in [(home.path, 0o755), (bin, 0o755), (log, 0o666)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    let prefix = "/usr/local/appcore-\(UUID().uuidString)"
    let ending = try await ChildProcess(
      try #require(ChildProcess.find("setpriv")),
      [
        "--reuid", "65534", "--regid", "65534", "--clear-groups", scripts + "/install",
        "--prefix", prefix, "--binary", try ChildProcess.built("appcore"),
      ],
      environment: [
        "HOME": "/nonexistent", "PATH": home.path + ":" + (environment["PATH"] ?? ""),
        "SUDO_LOG": log,
      ]
    ).ending()
    let commands = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(
      commands.contains {
        $0.hasPrefix("install -D -m 755 ") && $0.hasSuffix("\(prefix)/bin/appcore")
      },
      "\(ending.errors)\n\(commands)")
    #expect(commands.last?.hasSuffix("\(prefix)/share/appcore/manifest") == true, "\(commands)")
    #expect(!FileManager.default.fileExists(atPath: prefix))
  }

  @Test("a shell completes accounts and providers without a keyring, and nothing after a mistake")
  func completion() async throws {
    let program = try ChildProcess.built("appcore")
    let file = try home.write("accounts: { shop: { provider: square } }\n", to: "config.yaml")
    func completed(_ words: String...) async throws -> String {
      var environment = environment
      environment["APPCORE_CONFIG"] = file
      environment["SAP_SHELL"] = "fish"
      let ending = try await ChildProcess(
        program, ["---completion"] + words, environment: environment
      ).ending()
      #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
      return ending.output
    }
    #expect(
      try await completed(
        "sync", "all", "--", "--account", "3", "0", "sync", "all", "--account", "")
        == "shop\n")
    #expect(
      try await completed("login", "--", "--provider", "2", "0", "login", "--provider", "")
        .contains("quickbooks\n"))
    #expect(
      try await completed(
        "sync", "all", "--", "--account", "5", "0", "sync", "all", "--config", "/nowhere",
        "--account", ""
      ).isEmpty)
    #expect(
      try await completed(
        "invoices", "show", "--", "positional@0", "2", "0", "invoices", "show", ""
      )
      .isEmpty)
    #expect(contents() == ["config.yaml"])
  }
}
