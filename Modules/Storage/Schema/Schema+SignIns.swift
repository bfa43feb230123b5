extension Schema {
  /// The sign-in that each account's records were last proved for.
  ///
  /// It is the opaque text of `Credential.login`; `NULL` where no run of this version has noted one yet.
  static let signIns = """
    ALTER TABLE account ADD COLUMN login TEXT;
    """
}
