import AppCore

/// The configuration of a tap, which Singer programs pass as a JSON object.
package struct SingerConfiguration: Sendable {
  /// The forms of decimal numbers.
  package enum Decimals: String, Sendable, CaseIterable {
    /// Texts of the format `x-singer.decimal`, which targets store exactly.
    case string
    /// JSON numbers, which many targets store as the nearest double.
    case number
  }

  /// The keys, each with its meaning.
  package enum Key: String, CaseIterable {
    case configFile = "config_file"
    case accounts
    case sync
    case maxWait = "max_wait"
    case decimals

    var description: String {
      switch self {
      case .configFile: "The configuration file of appcore; the usual one if it is absent."
      case .accounts: "The accounts, or groups as @NAME; all that are stored if it is absent."
      case .sync: "Fetch the changes of all lists before (sync all)."
      case .maxWait: "The longest wait for a rate limit of a sync, such as 60s."
      case .decimals: "string: exact texts of the format x-singer.decimal; number: JSON numbers."
      }
    }

    var type: String {
      switch self {
      case .accounts: "array"
      case .sync: "boolean"
      default: "string"
      }
    }
  }

  /// The configuration file of appcore; `nil` for the usual one.
  package private(set) var configFile: String?
  /// The names of accounts and groups; `nil` for all that are stored.
  package private(set) var accounts: [String]?
  /// True to sync first.
  package private(set) var syncs = false
  /// The longest wait for a rate limit, as the option `--max-wait` takes it.
  package private(set) var maxWait: String?
  /// The form of decimals.
  package private(set) var decimals = Decimals.string

  /// Creates the configuration of a tap without a file.
  package init() {}

  /// Reads a configuration.
  ///
  /// - Parameter source: the name of the file, for messages.
  /// - Throws: `ConfigurationError`, also for an unknown key.
  package init(json text: String, source: String) throws {
    // JSON is YAML, whose reader knows the line of each value. Whoever fills in a template writes
    // null for what is not set.
    let root = try ConfigurationNode(yaml: text, source: source).withoutNulls
    try root.readKeys(named: Key.allCases.map(\.rawValue)) { name, value in
      switch Key(rawValue: name) {
      case .configFile: configFile = try value.text()
      case .accounts: accounts = try value.texts()
      case .sync:
        let word = try value.text()
        guard let flag = Bool(word) else { throw value.error("expected true or false") }
        syncs = flag
      case .maxWait:
        let text = try value.text()
        let duration = text.allSatisfy(\.isNumber) ? text + "s" : text
        guard Duration(configurationText: duration) != nil else {
          throw value.error("expected a duration such as 30s, 5m or 1h")
        }
        maxWait = duration
      case .decimals:
        guard let found = Decimals(rawValue: try value.text()) else {
          throw value.error("unknown value; available: string, number")
        }
        decimals = found
      case nil: break
      }
    }
    if accounts?.isEmpty == true { accounts = nil }
  }
}
