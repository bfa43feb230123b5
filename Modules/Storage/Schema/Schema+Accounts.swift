extension Schema {
  /// Accounts, each with the organisation whose records it holds.
  ///
  /// `source` names the organisation, such as `xero:<tenant>`. `login` is the sign-in that this was last
  /// proved for, as the opaque text of `Credential.login`; `NULL` where no run has noted one yet.
  static let accounts = """
    CREATE TABLE account (
      row INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      source TEXT NOT NULL,
      login TEXT
    ) STRICT;
    """
}
