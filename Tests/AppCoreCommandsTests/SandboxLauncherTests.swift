import Models
import Presentation
import Testing

@testable import AppCoreCommands

/// The hints of commands that the script in a sandbox's folder runs.
@Suite(.timeLimit(.minutes(10))) struct SandboxLauncherTests {
  private static let variables = [SandboxLauncher.variable: "/tmp/a b/appcore"]

  @Test("a command in a sandbox's folder names the script, in text and in JSON")
  func command() async throws {
    let fixture = try CommandFixture()
    let text = await fixture.run("sync", "invoices", variables: Self.variables)
    #expect(
      text.errors.contains("'/tmp/a b/appcore' login --account default --token-stdin"),
      "\(text.errors)")
    let json = try await fixture.run("sync", "invoices", "--json", variables: Self.variables)
      .failure()
    #expect(
      json["hint"] as? String
        == "Sign in with: '/tmp/a b/appcore' login --account default --token-stdin")
    let doctor = await fixture.run("doctor", variables: Self.variables)
    #expect(doctor.output.contains("'/tmp/a b/appcore' login --account default --token-stdin"))
  }
}
