import Models
import TestSupport
import Testing

@testable import Storage

/// The parts that an amount due is made of.
@Suite(.timeLimit(.minutes(10))) struct InvoiceBalanceTests {
  // Edge case 67
  @Test("an amount due is the total less payments and credits, each with its day and number")
  func parts() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    var cheque = try fixture.payment("p-1", "30", on: "2024-03-01", pays: ["i": "20", "j": "10"])
    cheque.reference = "cheque 7"
    var card = try fixture.payment("p-2", "5", on: "2024-03-02", pays: ["i": "5"])
    card.method = "card"
    try await fixture.store([cheque, card], in: database.paymentStore())
    try await fixture.store(
      [
        try fixture.invoice("i", due: "60"), try fixture.invoice("j", "10", status: .paid),
        try fixture.invoice("n", "40", due: "25", type: .creditNote, credits: ["i": "15"]),
      ], in: database.invoiceStore)
    #expect(
      try await fixture.balance(of: "i") == [
        "credit N-n 2024-02-01 15", "payment cheque 7 2024-03-01 20", "payment card 2024-03-02 5",
      ])
    #expect(try await fixture.balance(of: "j") == ["payment cheque 7 2024-03-01 10"])
    #expect(try await fixture.balance(of: "n") == ["invoice N-i 15"])
    try await database.close()
  }

  @Test("a refund takes back a payment of an invoice, and settles a credit note")
  func refunds() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    try await fixture.store(
      [
        try fixture.payment("p", "100", on: "2024-03-01", pays: ["i": "100"]),
        try fixture.payment("r", "40", type: .refund, on: "2024-03-02", pays: ["i": "40"]),
        try fixture.payment("s", "7", type: .refund, on: "2024-03-03", pays: ["n": "7"]),
      ], in: database.paymentStore())
    try await fixture.store(
      [
        try fixture.invoice("i", due: "40", status: .partiallyPaid),
        try fixture.invoice("n", "7", type: .creditNote, status: .paid),
        try fixture.invoice("o", status: .refunded),
      ], in: database.invoiceStore)
    #expect(
      try await fixture.balance(of: "i") == [
        "payment 2024-03-01 100", "refund 2024-03-02 -40",
      ])
    #expect(try await fixture.balance(of: "n") == ["payment 2024-03-03 7"])
    #expect(try await fixture.balance(of: "o") == ["waived 100.00"])
    try await database.close()
  }

  @Test("a credit note below zero is settled toward zero, and settles an invoice as any other")
  func belowZero() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    try await fixture.store(
      [
        try fixture.invoice("i", due: "60", status: .partiallyPaid),
        try fixture.invoice("n", "-50", due: "-10", type: .creditNote, credits: ["i": "40"]),
        try fixture.invoice("m", "-5", due: "-3", type: .creditNote, credits: ["j": "-2"]),
      ], in: database.invoiceStore)
    #expect(try await fixture.balance(of: "i") == ["credit N-n 2024-02-01 40"])
    #expect(try await fixture.balance(of: "n") == ["invoice N-i -40"])
    #expect(try await fixture.balance(of: "m") == ["invoice -2"])
    try await database.close()
  }

  // Edge case 69
  @Test("what is void, deleted, pending, of another account or of a similar identifier is no part")
  func others() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    try await fixture.store(
      [
        try fixture.payment("void", status: .void, pays: ["0-000001": "10"]),
        try fixture.payment("deleted", status: .deleted, pays: ["0-000001": "10"]),
        try fixture.payment("pending", status: .pending, pays: ["0-000001": "10"]),
        try fixture.payment("failed", status: .failed, pays: ["0-000001": "10"]),
        try fixture.payment("similar", pays: ["1-000001": "10"]),
      ], in: database.paymentStore())
    try await fixture.store(
      [try fixture.payment("p", pays: ["0-000001": "10"])], in: database.paymentStore(),
      account: "other")
    let note = try fixture.invoice("n", type: .creditNote, credits: ["0-000001": "1"])
    var void = note
    (void.id, void.status) = ("v", .void)
    try await fixture.store([note], in: database.invoiceStore, account: "other")
    try await fixture.store(
      [try fixture.invoice("0-000001", due: "100.00"), void], in: database.invoiceStore)
    #expect(try await fixture.balance(of: "0-000001") == [])
    try await database.close()
  }

  @Test("a void credit note settles nothing, and nobody claims it")
  func voidNote() async throws {
    let fixture = try await PaymentFixture()
    try await fixture.store(
      [try fixture.invoice("v", "9", type: .creditNote, status: .void, credits: ["i": "9"])],
      in: fixture.database.invoiceStore)
    #expect(try await fixture.balance(of: "v") == ["waived 9"])
    try await fixture.database.close()
  }

  @Test("a payment that both a list and the invoice have counts once")
  func once() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    var invoice = try fixture.invoice("i", due: "90", status: .partiallyPaid)
    invoice.payments = [InvoicePayment(id: "p", amount: ExactDecimal(10))]
    try await fixture.store([invoice], in: database.invoiceStore)
    #expect(try await fixture.balance(of: "i") == ["payment 10"])
    try await fixture.store(
      [try fixture.payment("p", "10", pays: ["i": "10"])], in: database.paymentStore())
    #expect(try await fixture.balance(of: "i") == ["payment 10"])
    try await database.close()
  }

  @Test("a credit that an invoice names has the number of the synced credit note")
  func numbered() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    try await fixture.store(
      [
        try fixture.invoice("i", due: "90", credits: ["n": "10"]),
        try fixture.invoice("n", "-10", type: .creditNote, status: .paid),
      ], in: database.invoiceStore)
    #expect(try await fixture.balance(of: "i") == ["credit N-n 10"])
    try await fixture.store(
      [try fixture.invoice("n", "-10", type: .creditNote, status: .deleted)],
      in: database.invoiceStore)
    #expect(try await fixture.balance(of: "i") == ["credit 10"])
    try await database.close()
  }

  @Test("a cent that was rounded, and what the payer withholds, is an entry")
  func rounding() async throws {
    let fixture = try await PaymentFixture()
    var invoice = try fixture.invoice("i", "9.99", due: "0", status: .paid)
    invoice.payments = [InvoicePayment(amount: try PaymentFixture.decimal("10.00"))]
    invoice.roundingAmount = try PaymentFixture.decimal("0.01")
    var withheld = try fixture.invoice("w", "100", due: "80")
    withheld.withheldAmount = try PaymentFixture.decimal("-20")
    try await fixture.store([invoice, withheld], in: fixture.database.invoiceStore)
    #expect(try await fixture.balance(of: "i") == ["payment 10.00", "rounding -0.01"])
    #expect(try await fixture.balance(of: "w") == ["withheld 20"])
    try await fixture.database.close()
  }

  @Test("what no entry explains is named, and what went back or is not claimed is an entry")
  func rest() async throws {
    let fixture = try await PaymentFixture()
    let database = fixture.database
    try await fixture.store(
      [
        try fixture.invoice("short", due: "99.99"), try fixture.invoice("void", status: .void),
        try fixture.invoice("off", due: "0", status: .writtenOff),
        try fixture.invoice("unstated", due: nil, status: .partiallyPaid),
        try fixture.invoice("back", "50", due: "0", status: .paid),
        try fixture.invoice("n", "20", type: .creditNote, credits: ["back": "20"]),
      ], in: database.invoiceStore)
    try await fixture.store(
      [
        try fixture.payment("p", "50", pays: ["back": "50"]),
        try fixture.payment("q", "1", pays: ["off": "1"]),
      ], in: database.paymentStore())
    #expect(try await fixture.balance(of: "short") == ["unexplained 0.01"])
    #expect(try await fixture.balance(of: "void") == ["waived 100.00"])
    #expect(try await fixture.balance(of: "off") == ["payment 1", "waived 99.00"])
    #expect(try await fixture.balance(of: "unstated") == [])
    #expect(
      try await fixture.balance(of: "back") == [
        "payment 50", "credit N-n 2024-02-01 20", "returned -20",
      ])
    try await database.close()
  }
}
