import Foundation
import JSONReading
import Models
import Networking
import Providers
import Sync
import Testing

/// The records that are read from rows of a described list.
@Suite(.timeLimit(.minutes(10))) struct RESTRowTests {
  private func value(_ json: String) throws -> JSONValue {
    var reader = JSONReader(Array(json.utf8))
    return try reader.readValue()
  }

  private func field(
    _ path: String, _ words: [String: String] = [:], default fallback: String? = nil
  ) throws -> RESTField {
    var field = RESTField(.path(try RESTFixture.path(path)))
    field.words = words
    field.fallback = fallback
    return field
  }

  private func fields() throws -> RESTFields {
    var fields = RESTFields()
    fields.fields = [
      "id": try field("id"),
      "type": try field("kind", ["credit": "credit-note"], default: "invoice"),
      "status": try field("state", ["sent": "open", "1": "paid"]),
      "currency": try field("money.currency"),
      "total": try field("money.total"),
      "issueDate": try field("day"),
      "updatedAt": try field("at"),
      "contact.name": try field("parties[1].name"),
    ]
    fields.lists = [
      "lines": RESTList(
        path: try RESTFixture.path("items"),
        fields: ["quantity": try field("qty"), "unitAmount": try field("price")])
    ]
    return fields
  }

  @Test("each field of each kind of record has a name of its own")
  func names() {
    for kind in Resource.Kind.allCases {
      let schema = RESTSchema.of(Resource(kind))
      for fields in [schema.fields] + schema.lists.map(\.fields) {
        #expect(Set(fields.map(\.name)).count == fields.count, "\(kind)")
      }
    }
  }

  @Test("an instant becomes a day in the named time zone, or in the one that the record states")
  func timeZones() throws {
    func read(_ zone: RESTTimeZone?, form: RESTDateForm = .instant) throws -> [CalendarDate?] {
      var (forms, fields) = (RESTForms(), try self.fields())
      (forms.day, forms.timeZone) = (form, zone)
      fields.lists["payments"] = RESTList(
        path: try RESTFixture.path("paid"),
        fields: ["date": try field("at"), "amount": try field("sum")])
      let text = row.replacing(
        #""day""#,
        with: #""zone": "Asia/Tokyo", "paid": [{"at": "2024-05-31T15:30:00Z", "sum": 1}], "day""#)
      let value = try self.value(text.replacing("2024-05-31\"", with: "2024-05-31T15:30:00Z\""))
      let invoice = try Invoice(RESTRow(value, fields, forms))
      return [invoice.issueDate] + invoice.payments.map(\.date)
    }
    let (utc, tokyo) = (CalendarDate("2024-05-31"), CalendarDate("2024-06-01"))
    let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
    #expect(try read(nil) == [utc, utc])
    #expect(try read(.named(zone)) == [tokyo, tokyo])
    #expect(try read(.at(RESTFixture.path("zone"))) == [tokyo, tokyo])
    // A record without a known zone has its days in UTC; days as written stay as they are.
    #expect(try read(.at(RESTFixture.path("id"))) == [utc, utc])
    #expect(try read(.named(zone), form: .dayOfInstant) == [utc, utc])
  }

  // Edge case 51
  @Test("a nest without end, or a key that comes twice, costs its row only if it is read")
  func oddValues() throws {
    let nest =
      String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let unread = row.replacing("1e999", with: nest + #", "twice": 1, "twice": 2"#)
    #expect(try Invoice(RESTRow(value(unread), fields(), RESTForms())).id == "7")
    let odd = [
      row.replacing(#""12.500""#, with: nest): "money.total",
      row.replacing(#""total""#, with: #""total": 1, "total""#): "money.total",
      row.replacing(#""day""#, with: #""day": "2024-05-30", "day""#): "day",
    ]
    for (text, path) in odd {
      let read = RESTRow(try value(text), try fields(), RESTForms())
      #expect(throws: RESTRowError.self) { _ = try Invoice(read) }
      do throws(RESTRowError) { _ = try Invoice(read) } catch { #expect(error.path == path) }
    }
  }

  // Edge case 51
  @Test(
    "a word that JSON lacks costs its row only if it is read",
    arguments: ["NaN", "Infinity", "-Infinity", "+1", "nan", "undefined", "True"])
  func words(word: String) throws {
    let unread = row.replacing("1e999", with: word)
    #expect(try Invoice(RESTRow(value(unread), fields(), RESTForms())).id == "7")
    let read = RESTRow(
      try value(row.replacing(#""12.500""#, with: word)), try fields(), RESTForms())
    do throws(RESTRowError) {
      _ = try Invoice(read)
      Issue.record("'\(word)' was read as an amount")
    } catch { #expect(error.path == "money.total") }
  }

  private let row = """
    {"id": 7, "kind": "credit", "state": 1, "money": {"currency": "eur", "total": "12.500"},
     "day": "2024-05-31", "at": "2024-05-31T08:00:00+02:00", "parties": [{"name": "A"}, {"name": "B"}],
     "items": [{"qty": 1.50, "price": "3"}, {"qty": "2"}], "unused": 1e999}
    """

  @Test("paths, words, numbers as texts and lists are read, each digit kept")
  func wholeRow() throws {
    let invoice = try Invoice(RESTRow(value(row), fields(), RESTForms()))
    #expect(invoice.id == "7" && invoice.type == .creditNote)
    #expect(invoice.status == .paid && invoice.rawStatus == "1")
    #expect(invoice.currency.code == "EUR" && invoice.total.description == "12.500")
    #expect(invoice.issueDate == CalendarDate("2024-05-31"))
    #expect(invoice.updatedAt == Timestamp("2024-05-31T06:00:00Z"))
    #expect(invoice.contact.name == "B")
    #expect(invoice.lines.map(\.quantity?.description) == ["1.50", "2"])
    #expect(invoice.lines.map(\.unitAmount?.description) == ["3", nil])
  }

  @Test("parties, addresses, allowances and charges are read where they are described")
  func parts() throws {
    var fields = try fields()
    fields.fields["ownParty.name"] = try field("parties[0].name")
    fields.fields["contact.address.line1"] = try field("street")
    fields.fields["contact.address.line3"] = try field("floor")
    fields.fields["contact.address.country"] = try field("land")
    for (list, path) in [("charges", "extras"), ("allowances", "rebates")] {
      fields.lists[list] = RESTList(
        path: try RESTFixture.path(path),
        fields: ["amount": try field("sum"), "reason": try field("why")])
    }
    let text = row.replacing(
      "{\"id\": 7,",
      with: """
        {"id": 7, "street": "1 Road\\nYard", "floor": "3rd", "land": "DE",
         "extras": [{"sum": 1.50}], "rebates": [{"sum": "2", "why": "loyal"}, {"sum": "x"}],
        """)
    #expect {
      _ = try Invoice(RESTRow(value(text), fields, RESTForms()))
    } throws: {
      ($0 as? RESTRowError)?.path == "rebates[1].sum"
    }
    let sound = text.replacing(#", {"sum": "x"}"#, with: "")
    let invoice = try Invoice(RESTRow(value(sound), fields, RESTForms()))
    #expect(invoice.ownParty == Party(name: "A") && invoice.contact.name == "B")
    #expect(
      invoice.contact.address == PostalAddress(lines: ["1 Road", "Yard", "3rd"], country: "DE"))
    let charge = try #require(ExactDecimal("1.50"))
    #expect(
      invoice.allowancesAndCharges == [
        AllowanceCharge(isCharge: false, amount: ExactDecimal(2), reason: "loyal"),
        AllowanceCharge(isCharge: true, amount: charge),
      ])
  }

  @Test("a word without a description is kept as the server's, and never interpreted")
  func unknownWords() throws {
    let text = row.replacing("\"state\": 1", with: "\"state\": \"lost\"")
    let invoice = try Invoice(RESTRow(value(text), fields(), RESTForms()))
    #expect(invoice.status == .unknown && invoice.rawStatus == "lost")
    var fields = try fields()
    fields.fields["type"]?.fallback = nil
    let other = row.replacing("credit", with: "pro-forma")
    #expect(throws: RESTRowError.self) {
      _ = try Invoice(RESTRow(value(other), fields, RESTForms()))
    }
  }

  @Test(
    "a mistake in a row is named by its path and field",
    arguments: [
      ("\"12.500\"", "{}", "money.total"), ("\"12.500\"", "\"12,5\"", "money.total"),
      ("\"12.500\"", "null", "money.total"), ("\"eur\"", "\"euro\"", "money.currency"),
      ("\"2\"", "true", "items[1].qty"), ("\"2024-05-31\"", "\"31.5.2024\"", "day"),
      ("\"id\": 7", "\"id\": 1e999", "id"), ("[{\"qty\"", "{\"qty\"", ""),
    ])
  func failures(old: String, new: String, path: String) throws {
    let text = row.replacing(old, with: new)
    guard !path.isEmpty else {
      #expect(throws: JSONError.self) { _ = try value(text) }
      return
    }
    #expect {
      _ = try Invoice(RESTRow(value(text), fields(), RESTForms()))
    } throws: {
      ($0 as? RESTRowError)?.path == path
    }
  }

  // Edge case 55
  @Test(
    "minor units are those of the currency",
    arguments: [
      ("EUR", "1250", "12.50"), ("JPY", "1250", "1250"), ("TND", "1250", "1.250"),
      ("EUR", "-5", "-0.05"), ("EUR", "9007199254740993", "90071992547409.93"),
      ("EUR", "12.5", "0.125"),
    ])
  func minorUnits(currency: String, number: String, amount: String) throws {
    var forms = RESTForms()
    forms.money = .minorUnits
    let json = #"{"id":"1","money":{"currency":"\#(currency)","total":\#(number)},"state":"sent"}"#
    let invoice = try Invoice(RESTRow(value(json), fields(), forms))
    #expect(invoice.total.description == amount)
  }

  @Test("an amount in another form than the described one is refused")
  func moneyForms() throws {
    let euro = Currency(code: "EUR")
    let number = ExactDecimal("1.10").map(JSONValue.number) ?? .null
    #expect(RESTMoneyForm.number.amount(number, in: euro)?.description == "1.10")
    #expect(RESTMoneyForm.number.amount(.text("1.10"), in: euro) == nil)
    #expect(RESTMoneyForm.text.amount(.text("1.10"), in: euro)?.description == "1.10")
    #expect(RESTMoneyForm.text.amount(number, in: euro) == nil)
    #expect(RESTMoneyForm.minorUnits.amount(number, in: nil) == nil)
  }

  @Test("numbers that are no amounts have the separators of the amounts, unless they have a form")
  func numberForms() throws {
    func quantity(_ text: String, _ money: RESTMoneyForm, own: RESTMoneyForm? = nil) throws
      -> String?
    {
      var (forms, fields) = (RESTForms(), try self.fields())
      forms.money = money
      var quantity = try field("qty")
      quantity.moneyForm = own
      fields.fields["total"] = RESTField(.constant("1"))
      fields.lists["lines"] = RESTList(
        path: try RESTFixture.path("items"), fields: ["quantity": quantity])
      let json =
        #"{"id":"a","state":"sent","money":{"currency":"EUR"},"items":[{"qty":"\#(text)"}]}"#
      let invoice = try Invoice(RESTRow(value(json), fields, forms))
      return invoice.lines.first?.quantity?.description
    }
    #expect(try quantity("1.000", .commaDecimal) == "1000")
    #expect(try quantity("1.000,5", .commaDecimal) == "1000.5")
    #expect(try quantity("1.000", .commaDecimal, own: .decimal) == "1.000")
    #expect(try quantity("1,000", .commaThousands) == "1000")
    for form in [RESTMoneyForm.decimal, .text, .number, .minorUnits] {
      #expect(try quantity("1.000", form) == "1.000")
    }
    #expect(throws: RESTRowError.self) { try quantity("1.5", .commaDecimal) }
  }

  @Test("the raw word of a field that is true or false is its path")
  func rawBooleans() throws {
    var fields = try self.fields()
    fields.fields["status"] = RESTField(
      .choice([
        try field("flags.is_void", ["true": "void"]),
        try field("is_paid", ["true": "paid", "false": "open"]),
      ]))
    func raw(_ flags: String) throws -> String {
      let json = #"{"id":"a","money":{"currency":"EUR","total":"1"},\#(flags)}"#
      return try Invoice(RESTRow(value(json), fields, RESTForms())).rawStatus
    }
    #expect(try raw(#""flags":{"is_void":true},"is_paid":true"#) == "flags.is_void")
    #expect(try raw(#""flags":{"is_void":false},"is_paid":true"#) == "is_paid")
    #expect(try raw(#""flags":{"is_void":false},"is_paid":false"#) == "is_paid: false")
  }

  @Test(
    "each form of a date gives the same instant, and is written as the server reads it",
    arguments: [
      (RESTDateForm.day, "\"2024-05-31\"", "2024-05-31T00:00:00Z", "2024-05-31"),
      (.dayOfInstant, "\"2024-05-31T23:00:00-05:00\"", "2024-05-31T00:00:00Z", "2024-05-31"),
      (.instant, "\"2024-05-31T10:00:00+02:00\"", "2024-05-31T08:00:00Z", "2024-05-31T08:00:00Z"),
      (.withoutZone, "\"2024-05-31 08:00:00\"", "2024-05-31T08:00:00Z", "2024-05-31T08:00:00"),
      (.seconds, "1717142400", "2024-05-31T08:00:00Z", "1717142400"),
      (.seconds, "\"1717142400\"", "2024-05-31T08:00:00Z", "1717142400"),
      (.milliseconds, "1717142400000", "2024-05-31T08:00:00Z", "1717142400000"),
    ])
  func dateForms(form: RESTDateForm, json: String, instant: String, written: String) throws {
    let read = try form.instant(value(json))
    #expect(read == Timestamp(instant))
    #expect(read.map(form.text) == written)
    #expect(try form.day(value(json)) == CalendarDate("2024-05-31"))
    #expect(try form.instant(value("\"soon\"")) == nil)
  }

  @Test("a path consists of keys and indexes, and other text is refused")
  func paths() throws {
    let json = try value(#"{"a":{"b":[[1],{"c":2}]}}"#)
    #expect(RESTPath("a.b[1].c")?.value(in: json) == .number(ExactDecimal(2)))
    #expect(RESTPath("a.b[0][0]")?.value(in: json) == .number(ExactDecimal(1)))
    #expect(RESTPath(".")?.value(in: json) == json && RESTPath("")?.value(in: json) == json)
    #expect(RESTPath("a.b[7]")?.value(in: json) == nil && RESTPath("a.x")?.value(in: json) == nil)
    #expect(RESTPath("[0].id") != nil)
    for text in ["a..b", ".a", "a[", "a[x]", "a[-1]", "a]b", "a.[0]"] {
      #expect(RESTPath(text) == nil, "\(text)")
    }
  }

  @Test("an instant outside the calendar is none")
  func instantsBeyond() throws {
    #expect(RESTDateForm.milliseconds.instant(try value("1"))?.microsecondsSinceEpoch == 1_000)
    #expect(RESTDateForm.milliseconds.instant(try value("-9223372036854775")) == nil)
    #expect(RESTDateForm.seconds.instant(try value("253402300800")) == nil)
  }
}
