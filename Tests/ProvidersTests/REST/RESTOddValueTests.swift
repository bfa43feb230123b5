import JSONReading
import Models
import Networking
import Providers
import Sync
import Testing

/// Values as servers in the field write them: without a date, without an amount due, in odd lists.
@Suite(.timeLimit(.minutes(10))) struct RESTOddValueTests {
  private func value(_ json: String) throws -> JSONValue {
    var reader = JSONReader(Array(json.utf8))
    return try reader.readValue()
  }

  private func field(_ path: String) throws -> RESTField {
    RESTField(.path(try RESTFixture.path(path)))
  }

  private func fields() throws -> RESTFields {
    var fields = RESTFields()
    var status = try field("state")
    status.words = ["sent": "open"]
    fields.fields = [
      "id": try field("id"), "type": RESTField(.constant("invoice")), "status": status,
      "currency": RESTField(.constant("EUR")), "total": try field("total"),
      "amountPaid": try field("paid"), "amountCredited": try field("credited"),
      "issueDate": try field("day"), "dueDate": try field("due"), "updatedAt": try field("at"),
    ]
    fields.lists = [
      "lines": RESTList(
        path: try RESTFixture.path("items"), fields: ["quantity": try field("qty")])
    ]
    return fields
  }

  private func invoice(
    _ members: String, _ forms: RESTForms = RESTForms(),
    _ change: (inout RESTFields) throws -> Void = { _ in }
  ) throws -> Invoice {
    var fields = try fields()
    try change(&fields)
    let row = #"{"id": 1, "state": "sent", "total": "100.00", \#(members)}"#
    return try Invoice(RESTRow(value(row), fields, forms))
  }

  @Test(
    "the amount due of a row that states only what is paid is the rest of the total",
    arguments: [
      (#""paid": "30.50""#, "69.50"), (#""paid": 0"#, "100.00"),
      (#""paid": "30.50", "credited": "9.50""#, "60.00"), (#""paid": "120""#, "-20.00"),
      (#""paid": null"#, nil),
    ])
  func amountDue(members: String, due: String?) throws {
    #expect(try invoice(members).amountDue?.description == due)
  }

  @Test(
    "what an unpaid row does not state is left to the store, and a paid one was paid its payments",
    arguments: [
      (#""paid_by": [{"sum": "30.50"}, {"sum": "-0.50"}]"#, nil, nil),
      (#""paid_by": [{"sum": 30}], "credited_by": [{"of": "c", "sum": 5}]"#, nil, nil),
      (#""credited_by": [{"of": "c", "sum": 5}]"#, nil, nil),
      (#""status": "paid", "paid_by": [{"sum": 70}]"#, "70", nil),
      (#""status": "paid", "paid_by": [{"sum": 100}]"#, "100", "0.00"),
      (#""status": "paid", "paid": 70"#, "70", nil),
      (#""status": "paid", "paid": 100"#, "100", "0.00"),
      (#""status": "paid", "paid": 110"#, "110", "-10.00"),
      (#""paid_by": [{"sum": 30}], "paid": 40"#, "40", "60.00"), (#""paid_by": []"#, nil, nil),
    ])
  func amountDueOfParts(members: String, paid: String?, due: String?) throws {
    let invoice = try invoice(members) {
      var status = try field("status")
      status.fallback = "partially-paid"
      $0.fields["status"] = status
      $0.lists["payments"] = RESTList(
        path: try RESTFixture.path("paid_by"), fields: ["amount": try field("sum")])
      $0.lists["allocations"] = RESTList(
        path: try RESTFixture.path("credited_by"),
        fields: ["invoiceID": try field("of"), "amount": try field("sum")])
    }
    #expect(invoice.amountPaid?.description == paid)
    #expect(invoice.amountDue?.description == due)
  }

  @Test("what a credit note below zero settles is above zero")
  func creditBelowZero() throws {
    let invoice = try invoice(#""below": "-9.00", "set": [{"of": "i", "sum": "-4"}]"#) {
      $0.fields["type"] = RESTField(.constant("credit-note"))
      $0.fields["total"] = try field("below")
      $0.lists["allocations"] = RESTList(
        path: try RESTFixture.path("set"),
        fields: ["invoiceID": try field("of"), "amount": try field("sum")])
    }
    #expect(invoice.allocations.map(\.amount.description) == ["4"])
  }

  @Test("a draft with a paid amount has nothing due")
  func draft() throws {
    let invoice = try invoice(#""paid": "30""#) {
      $0.fields["status"] = RESTField(.constant("draft"))
    }
    #expect(invoice.amountPaid?.description == "30" && invoice.amountDue == nil)
  }

  @Test("a stated amount due is kept, whatever was paid")
  func statedAmountDue() throws {
    let invoice = try invoice(#""paid": "30", "rest": "71.00""#) {
      $0.fields["amountDue"] = try field("rest")
    }
    #expect(invoice.amountDue?.description == "71.00")
  }

  @Test(
    "a day that programs store in place of no date is no date",
    arguments: [
      (#""0000-00-00""#, RESTDateForm.dayOfInstant), (#""0000-00-00 00:00:00""#, .withoutZone),
      (#""0001-01-01T00:00:00""#, .withoutZone), (#""0001-01-01T00:00:00Z""#, .instant),
      (#""1900-01-01T00:00:00+02:00""#, .instant), (#""-0001-11-30 00:00:00""#, .withoutZone),
      (#""1899-12-30""#, .dayOfInstant), (#""9999-12-31""#, .day), (#""1753-01-01""#, .day),
      (#""Mon, 01 Jan 1900 00:00:00 GMT""#, .http), ("false", .day), (#""  ""#, .instant),
      (#""0001-01-01""#, .day), ("0", .seconds), (#""0""#, .seconds), ("0", .milliseconds),
    ])
  func zeroDate(text: String, form: RESTDateForm) throws {
    var forms = RESTForms()
    (forms.day, forms.instant, forms.noDates) = (form, form, ["1753", "Mon, 01 Jan 1900"])
    let found = try invoice(#""due": \#(text), "at": \#(text)"#, forms)
    #expect(found.dueDate == nil && found.updatedAt == nil)
    let replaced = try invoice(#""due": \#(text)"#, forms) {
      $0.fields["dueDate"]?.fallback = "2024-05-31"
    }
    #expect(replaced.dueDate == CalendarDate("2024-05-31"))
  }

  @Test(
    "false and whitespace are no value of a text, a number or a list",
    arguments: ["false", #""""#, #"" \t""#, "null"])
  func nothing(text: String) throws {
    let found = try invoice(#""paid": \#(text), "ref": \#(text), "items": \#(text)"#) {
      $0.fields["reference"] = try field("ref")
    }
    #expect(found.amountPaid == nil && found.reference == nil && found.lines.isEmpty)
  }

  @Test(
    "an instant without seconds is read",
    arguments: [
      ("2024-05-31T08:00Z", RESTDateForm.instant), ("2024-05-31T10:00+02:00", .instant),
      ("2024-05-31T10:00+0200", .instant), ("2024-05-31 08:00", .withoutZone),
      ("2024-05-31T08:00", .withoutZone),
    ])
  func withoutSeconds(text: String, form: RESTDateForm) throws {
    #expect(form.instant(.text(text)) == Timestamp("2024-05-31T08:00:00Z"))
  }

  @Test(
    "a value that is not in its form is shown with the form",
    arguments: [
      (
        #""day": "31.05.2024""#, "day",
        #"issueDate: expected a day as rfc3339-day, found "31.05.2024""#
      ),
      (
        #""paid": "1,234.50""#, "paid",
        #"amountPaid: expected an amount as decimal, found "1,234.50""#
      ),
      (
        #""paid": {"value": 1}"#, "paid",
        "amountPaid: expected an amount as decimal, found an object"
      ),
    ])
  func shown(members: String, path: String, reason: String) throws {
    #expect {
      _ = try invoice(members)
    } throws: { error in
      guard let error = error as? RESTRowError else { return false }
      return error.path == path && error.reason == reason
    }
  }

  @Test(
    "an empty list may be written as an empty object, an empty text or false",
    arguments: ["{}", #""""#, "false", "null", "[]"])
  func emptyLines(text: String) throws {
    #expect(try invoice(#""items": \#(text)"#).lines.isEmpty)
  }

  @Test(
    "a list may be written as an object by keys, or as its only element",
    arguments: [#"{"7": {"qty": 1}, "9": {"qty": 2}}"#, #"[{"qty": 1}, {"qty": 2}]"#])
  func linesByKey(text: String) throws {
    #expect(try invoice(#""items": \#(text)"#).lines.map(\.quantity?.description) == ["1", "2"])
    #expect(try invoice(#""items": {"qty": 3}"#).lines.map(\.quantity?.description) == ["3"])
    #expect(throws: RESTRowError.self) { _ = try invoice(#""items": "none""#) }
  }

  @Test(
    "the first of several words that has a meaning decides, and the last word stands for unknown",
    arguments: [
      (#""paid": true, "state": "sent""#, InvoiceStatus.paid, "paid"),
      (#""paid": false, "state": "sent""#, .open, "sent"),
      (#""paid": true, "gone_at": "2024-05-31""#, .void, "2024-05-31"),
      (#""paid": false, "gone_at": null, "state": "held""#, .unknown, "held"),
      (#""paid": false, "state": null"#, .unknown, "paid: false"),
    ])
  func severalWords(members: String, status: InvoiceStatus, raw: String) throws {
    func part(_ path: String, _ words: [String: String]) throws -> RESTField {
      var field = try field(path)
      field.words = words
      return field
    }
    var fields = try fields()
    fields.fields["amountPaid"] = nil
    fields.fields["status"] = RESTField(
      .choice([
        try part("gone_at", [RESTField.anyWord: "void"]), try part("paid", ["true": "paid"]),
        try part("state", ["sent": "open"]),
      ]))
    let row = RESTRow(try value(#"{"id": 1, "total": 1, \#(members)}"#), fields, RESTForms())
    let invoice = try Invoice(row)
    #expect(invoice.status == status && invoice.rawStatus == raw)
  }

  @Test(
    "a key with a dot is written in brackets and quotes; those of OData may stand alone",
    arguments: [
      #"["@odata.nextLink"]"#, "@odata.nextLink", "['@odata.nextLink']",
    ])
  func dottedKey(path: String) throws {
    let page = try value(#"{"@odata.nextLink": "https://api.acme.example/2"}"#)
    #expect(try RESTFixture.path(path).value(in: page)?.word == "https://api.acme.example/2")
    let inner = try value(#"{"a": [{"b.c": {"d": 1}}]}"#)
    #expect(try RESTFixture.path(#"a[0]["b.c"].d"#).value(in: inner)?.word == "1")
    for wrong in [#"[""]"#, #"["a"#, #"["a]"#, "a..b", "a.", ".a", "a[0]b", "a.[0]", "[x]"] {
      #expect(RESTPath(wrong) == nil, "\(wrong)")
    }
  }
}
