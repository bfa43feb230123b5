import AppCore
import ErrorCodes
import Foundation

/// A subject that `appcore help` explains.
enum HelpTopic: String, CaseIterable {
  case configuration
  case environment
  case exitCodes = "exit-codes"
  case rateLimits = "rate-limits"
  case secretStore = "secret-store"

  var abstract: String {
    switch self {
    case .configuration: "The configuration file and its keys."
    case .environment: "Environment variables that appcore reads."
    case .exitCodes: "Exit codes, and what a script can do about each."
    case .rateLimits: "Limits that providers publish, and how appcore keeps them."
    case .secretStore: "Where logins are kept, with and without a desktop."
    }
  }
}

extension HelpTopic {
  /// Returns the text of the topic.
  ///
  /// - Parameter program: the words that call the program.
  func text(calling program: String = "appcore") -> String {
    abstract + "\n\n" + body(calling: program) + "\n"
  }

  func body(calling program: String = "appcore") -> String {
    switch self {
    case .configuration: Self.configurationText
    case .environment: Self.environmentText
    case .exitCodes: Self.exitCodesText
    case .rateLimits: Self.rateLimitsText
    case .secretStore: Self.secretStoreText(program)
    }
  }

  private static let configurationText = """
    appcore reads $XDG_CONFIG_HOME/appcore/config.yaml (~/.config/appcore). Another
    file: --config FILE or APPCORE_CONFIG. Precedence: flags, environment variables,
    configuration file, defaults. An unknown key or a malformed value is an error
    that names the file, the line and the key.

      accounts:
        default:
          provider: xero         # or another that 'appcore setup' lists
          clientID: YOUR_ID
          clientSecretFile: /home/me/.config/appcore/secret
    """ + "\n" + CoreConfiguration.settingSections.map { keys(of: $0, $1) }.joined(separator: "\n")

  /// Returns the keys of a section of the configuration file, each with its meaning.
  private static func keys(
    of section: String, _ settings: [SettingDescription]
  ) -> String {
    let lines = settings.map { setting in
      let meaning = WrappedText(setting.summary.replacing("`", with: ""), width: 55).lines
      let name =
        setting.name.count > 22
        ? setting.name + "\n" + String(repeating: " ", count: 25)
        : setting.name.padding(toLength: 23, withPad: " ", startingAt: 0)
      return "  " + name + meaning.joined(separator: "\n" + String(repeating: " ", count: 25))
    }
    return "\nKEYS\(section.isEmpty ? "" : " OF \(section)"):\n" + lines.joined(separator: "\n")
  }

  private static let environmentText = """
    These override the configuration file; flags override them.

      APPCORE_CONFIG         The configuration file.
      APPCORE_ACCOUNT        Account to use without --account.
      APPCORE_PROVIDER       Provider of accounts that name none.
      APPCORE_CLIENT_ID, APPCORE_CLIENT_SECRET_FILE
                             Client of the default account.
      APPCORE_DATABASE       Database file, an absolute path.

    From the system:

      XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME
                             Folders of the configuration (~/.config), of the
                             database (~/.local/share), and of locks and request
                             counts (~/.local/state). Absolute paths only.
      DBUS_SESSION_BUS_ADDRESS
                             The session bus, where the system keyring answers.
      CREDENTIALS_DIRECTORY  Credentials that systemd passes to a service.
      https_proxy, http_proxy, all_proxy, no_proxy
                             Proxies, and hosts to reach without one.
      NO_COLOR, TERM=dumb    No colours, unless --color always.
    """

  private static let exitCodesText =
    ExitStatus.allCases.map(line).joined(separator: "\n") + "\n\n" + """
      With --json, a failure is one JSON object on standard error, with "code",
      "message", "hint", "retryable" and "exitCode", and "providerMessage" if the
      provider's server explained its refusal.
      """

  /// Returns an exit code with its meaning, in lines of the topic.
  private static func line(_ status: ExitStatus) -> String {
    let codes = status.codes.replacing(" ", with: "")
    let text = [status.meaning, status.reaction].filter { !$0.isEmpty }.joined(separator: ": ")
      .replacing("`", with: "")
    let lines = WrappedText(text.prefix(1).uppercased() + text.dropFirst() + ".", width: 64).lines
    return "  " + codes.padding(toLength: 13, withPad: " ", startingAt: 0)
      + lines.joined(separator: "\n               ")
  }

  private static let rateLimitsText = """
    Providers publish how many requests an application may send. appcore stays
    within these limits, and waits if a server asks for it.

      --max-wait TIME        Longest single wait; 60s by default. A longer one ends
                             the run with exit code 75 and the time to try again.
                             So do three such waits in a row, and sixty in all.
      --max-duration TIME    Ends the run after this long, with exit code 75. What
                             was fetched is stored; the next run continues.
      sessions.MODULE.rateLimit: { requests: 60, interval: 1m }
                             In the configuration: replaces the provider's limits.

    All sessions of an account share its limits. Processes with the same state
    folder share limits of an hour and more; shorter ones apply per process. If
    several processes exceed a limit together, the server refuses a request and
    appcore waits as it asks.
    """

  private static func secretStoreText(_ program: String) -> String {
    """
    Logins are kept in the system keyring (libsecret: GNOME Keyring, KWallet). No
    token is ever written elsewhere unless the configuration asks for it.

    If the keyring is locked, log in to the desktop, or unlock it in "Passwords and
    Keys" (seahorse). Stored logins stay as they are.

    Without a desktop, use an encrypted file instead. appcore never falls back to
    it on its own:

      secretStore:
        kind: encrypted-file
        keyFile: /home/me/.config/appcore/key

    The logins are in $XDG_DATA_HOME/appcore/logins.encrypted (~/.local/share), or
    in the file that secretStore.path names. Create the key once; only its owner
    may read it:

      (umask 077; head -c 32 /dev/urandom | base64 > ~/.config/appcore/key)

    If it is lost, so are the logins: rename logins.encrypted, create a new key, and
    sign in again.

    keyFile may also name a systemd credential. Before you change the store, sign
    out with '\(program) logout --all'; afterwards sign in again with '\(program) login'.
    Two setups side by side, each with a store of its own, need a state folder each
    (XDG_STATE_HOME) and, in the keyring, a secretStore.service each.

    GNOME Keyring also runs without a desktop, in a D-Bus session of its own, and
    reads its password from standard input:

      dbus-run-session -- bash -c '
        read -rsp "Keyring password: " p
        printf %s "$p" |
          gnome-keyring-daemon --replace --unlock --components=secrets
        \(program) sync all'

    --replace ends a locked daemon that D-Bus has already started in this session.
    """
  }
}
