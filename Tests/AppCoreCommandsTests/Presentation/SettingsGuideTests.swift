import Networking
import TestSupport
import Testing

@testable import AppCore
@testable import AppCoreCommands

/// The sample file and the guide, which the tables of settings write.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SettingsGuideTests {
  private let sections = CoreConfiguration.settingSections

  private func settings(_ path: String) throws -> [SettingDescription] {
    try #require(sections.first { $0.path == path }).settings
  }

  @Test("the guide lists every key with its meaning, its default and its variable")
  func guide() throws {
    let rows = sections.flatMap(\.settings).map { setting in
      [
        "`\(setting.key)`",
        setting.summary + (setting.details.isEmpty ? "" : " " + setting.details),
        setting.value.map { "`\($0)`" } ?? setting.absence ?? "",
        setting.variable.map { "`\($0)`" } ?? "",
      ]
    }
    try WrittenPart(of: "Modules/AppCore/AppCore.docc/Configuration.md", by: "SettingsGuideTests")
      .check(WrittenPart.table(["key", "meaning", "default", "environment"], rows))
  }

  @Test(
    "the sample file has every key with its default or an example",
    arguments: [("", 0), ("accounts.NAME", 4), ("providers.NAME", 4)])
  func sample(path: String, indent: Int) throws {
    let part = "SettingsGuideTests" + (path.isEmpty ? "" : ": \(path)")
    try WrittenPart(of: "Config/appcore.yaml", by: part)
      .check(Self.sample(try settings(path), indent: indent))
  }

  @Test("the sample file has the keys of sessions once, and the defaults that differ")
  func sessions() throws {
    let standard = SessionConfiguration()
    let lines = try ["auth", "invoices", "documents"].flatMap { module in
      let own = CoreConfiguration.defaultSession(module)
      let all = try settings("sessions.MODULE")
      let different = SessionConfiguration.settings.filter {
        $0.text(in: own) != $0.text(in: standard)
      }.map { $0.description(of: own).withoutWords }
      return ["  \(module):"] + Self.sample(module == "invoices" ? all : different, indent: 4)
    }
    try WrittenPart(of: "Config/appcore.yaml", by: "SettingsGuideTests: sessions.MODULE")
      .check(lines)
  }

  /// Returns the lines of a YAML file for keys: each with its words, and its default or an example.
  private static func sample(_ settings: [SettingDescription], indent: Int) -> [String] {
    var lines: [String] = []
    var group = ""
    for setting in settings {
      let parts = setting.name.split(separator: ".").map(String.init)
      let isNewGroup = parts.count > 1 && parts[0] != group
      if indent == 0, !lines.isEmpty, parts.count == 1 || isNewGroup { lines.append("") }
      let space = String(repeating: " ", count: indent)
      if isNewGroup { lines.append("\(space)\(parts[0]):") }
      group = parts.count > 1 ? parts[0] : ""
      let inner = space + (parts.count > 1 ? "  " : "")
      let words = [
        setting.summary, setting.details, setting.absence.map { "Default: \($0)" } ?? "",
      ]
      .filter { !$0.isEmpty }.joined(separator: " ").replacing("`", with: "")
      if !words.isEmpty {
        lines += WrappedText(words, width: 98 - inner.count).lines.map { "\(inner)# \($0)" }
      }
      let key = parts[parts.count - 1]
      lines.append(
        setting.value.map { "\(inner)\(key): \($0)" }
          ?? "\(inner)# \(key): \(setting.example ?? "")")
    }
    return lines
  }
}

extension SettingDescription {
  /// The key with its default alone.
  fileprivate var withoutWords: SettingDescription {
    SettingDescription(
      name: name, key: key, summary: "", details: "", value: value, absence: nil, example: example,
      variable: nil)
  }
}
