extension Schema {
  /// The numbers of changes: each row has that of the commit that last changed it.
  ///
  /// Rows of earlier versions of the file have the number 1. `forgotten` names the rows that were
  /// removed, as no row is left to say so.
  static func changes(ofDatabase identity: String) -> String {
    """
    CREATE TABLE change_counter (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      -- The number of the last commit that changed a record.
      last INTEGER NOT NULL,
      -- The identity of the database, which no other one has.
      database TEXT NOT NULL
    ) STRICT;
    INSERT INTO change_counter VALUES (1, 1, '\(identity)');

    CREATE TABLE forgotten (
      row INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      account TEXT NOT NULL,
      id TEXT NOT NULL,
      change INTEGER NOT NULL,
      forgotten_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX forgotten_by_change ON forgotten(change);

    \(columns)
    CREATE INDEX contact_by_change ON contact(change);
    \(changeIndexes.map { $0.sql + ";" }.joined(separator: "\n"))
    -- The payments that show the name of a synced contact.
    CREATE INDEX payment_by_unnamed_contact ON payment(account, contact_id)
      WHERE contact_name IS NULL AND contact_id IS NOT NULL;

    \(accountChange("account_inserted", "INSERT ON account", "new.name"))
    \(accountChange("account_changed", "UPDATE OF name, source ON account", "new.name",
      when: "new.name <> old.name OR new.source <> old.source"))
    \(accountChange("organisation_inserted", "INSERT ON organisation", "new.account_name"))
    \(accountChange("organisation_changed", "UPDATE ON organisation", "new.account_name"))
    \(accountChange("organisation_deleted", "DELETE ON organisation", "old.account_name"))
    """
  }

  /// The invoices in the order in which they changed.
  static let invoiceChanges = RecordIndex(name: "invoice_by_change", columns: "(change)")

  /// The payments in the order in which they changed.
  static let paymentChanges = RecordIndex(
    name: "payment_by_change", table: "payment", columns: "(change)")

  /// Those indexes that a first sync stores without.
  static let changeIndexes = [invoiceChanges, paymentChanges]

  private static let columns = ChangedKind.allCases.map {
    "ALTER TABLE \($0) ADD COLUMN change INTEGER NOT NULL DEFAULT 1;"
  }.joined(separator: "\n")

  /// The trigger of a change of an account, or of its organisation.
  private static func accountChange(
    _ name: String, _ event: String, _ account: String, when condition: String = "true"
  ) -> String {
    """
    CREATE TRIGGER \(name) AFTER \(event)
    WHEN (\(condition)) AND EXISTS (SELECT 1 FROM account WHERE name = \(account)) BEGIN
      UPDATE change_counter SET last = last + 1;
      UPDATE account SET change = (SELECT last FROM change_counter) WHERE name = \(account);
    END;
    """
  }
}
