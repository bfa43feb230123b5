import Storage

/// The change that a dry run reports for one record.
package struct SyncChangeDocument: Encodable {
  package struct Field: Encodable {
    package let field: String
    package let old: Nullable<String>
    package let new: Nullable<String>

    init(_ change: FieldChange) {
      field = change.field
      old = Nullable(change.old)
      new = Nullable(change.new)
    }
  }

  package let id: String
  /// The number of an invoice.
  package let number: Nullable<String>
  /// The name of the contact.
  package let contact: Nullable<String>
  package let change: String
  /// The fields that differ from the stored record; empty for a new record.
  package let fields: [Field]
  /// Number of further fields that differ.
  package let omittedFields: Int

  init(_ change: RecordChange) {
    id = change.id
    number = Nullable(change.number)
    contact = Nullable(change.contact)
    self.change = change.kind.rawValue
    fields = change.fields.map(Field.init)
    omittedFields = change.omittedFields
  }
}
