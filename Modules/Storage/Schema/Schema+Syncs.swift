extension Schema {
  /// The state of syncs: the checkpoint of each, the rows that a sweep has seen, and a record of
  /// every run.
  static let syncs = """
    -- Where the next run of a resource, such as invoices, goes on.
    CREATE TABLE checkpoint (
      account INTEGER NOT NULL REFERENCES account(row),
      resource TEXT NOT NULL,
      checkpoint BLOB NOT NULL,
      watermark INTEGER,
      is_complete INTEGER NOT NULL CHECK (is_complete IN (0, 1)),
      PRIMARY KEY (account, resource)
    ) STRICT, WITHOUT ROWID;

    -- The rows that a sweep under way has seen; at its end the others are deleted, and these
    -- removed.
    CREATE TABLE seen (
      account INTEGER NOT NULL REFERENCES account(row),
      resource TEXT NOT NULL,
      row INTEGER NOT NULL,
      PRIMARY KEY (account, resource, row)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE run (
      id INTEGER PRIMARY KEY,
      account_name TEXT NOT NULL,
      resource TEXT NOT NULL,
      provider TEXT NOT NULL,
      mode TEXT NOT NULL,
      result TEXT NOT NULL
        CHECK (result IN ('running','complete','partial','failed','interrupted','died')),
      started_at INTEGER NOT NULL,
      ended_at INTEGER,
      inserted INTEGER NOT NULL DEFAULT 0, updated INTEGER NOT NULL DEFAULT 0,
      unchanged INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0,
      pages INTEGER NOT NULL DEFAULT 0, requests INTEGER NOT NULL DEFAULT 0,
      watermark_before INTEGER, watermark_after INTEGER,
      error_code TEXT, cause TEXT, retry_at INTEGER,
      CHECK ((result = 'running') = (ended_at IS NULL))
    ) STRICT;

    -- The last run of a resource, and those that never ended.
    CREATE INDEX run_by_account ON run(account_name, resource, id);
    """

  /// The sign-in with which each run sent requests.
  static let runLogins = "ALTER TABLE run ADD COLUMN login TEXT"

  /// The records that a list holds and that could not be read, so that they are reported once and
  /// do not hold the checkpoint back.
  static let unreadable = """
    CREATE TABLE unreadable (
      account INTEGER NOT NULL REFERENCES account(row),
      resource TEXT NOT NULL,
      id TEXT NOT NULL,
      -- The version that a list of versions states.
      version INTEGER,
      path TEXT NOT NULL,
      reason TEXT NOT NULL,
      since INTEGER NOT NULL,
      -- Whether the report of a run has named it in this state.
      is_reported INTEGER NOT NULL CHECK (is_reported IN (0, 1)),
      -- Whether the sweep under way has seen it.
      is_seen INTEGER NOT NULL CHECK (is_seen IN (0, 1)),
      PRIMARY KEY (account, resource, id)
    ) STRICT, WITHOUT ROWID;
    """
}
