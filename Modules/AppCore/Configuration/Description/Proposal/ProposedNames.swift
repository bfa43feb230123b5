import Models

/// The usual names of members, in lower case without separators and the likeliest first, and the
/// usual words of invoices.
enum ProposedNames {
  /// The names of the other party.
  static let parties = [
    "customer", "client", "contact", "buyer", "recipient", "billto", "debtor", "party", "account",
    "supplier", "vendor",
  ]

  static let invoice: [String: [String]] = [
    "id": ["id", "uuid", "guid", "invoiceid", "documentid", "recordid", "identifier", "key"],
    "number": [
      "number", "invoicenumber", "invoiceno", "invoicenr", "documentnumber", "documentno",
      "docnumber", "vouchernumber", "displayid", "no", "nr",
    ],
    "type": ["type", "invoicetype", "documenttype", "doctype", "kind"],
    "status": [
      "status", "state", "invoicestatus", "documentstatus", "paymentstatus", "statusname",
    ],
    "currency": ["currency", "currencycode", "isocurrency", "invoicecurrency", "curr"],
    "issueDate": [
      "issuedate", "invoicedate", "date", "dateissued", "issuedat", "issuedon", "issued",
      "documentdate", "voucherdate", "createdat", "created",
    ],
    "dueDate": ["duedate", "dueon", "dueat", "datedue", "paymentduedate", "due", "deadline"],
    "updatedAt": updatedAt,
    "subtotal": [
      "subtotal", "net", "netamount", "nettotal", "totalnet", "totalnetamount", "amountnet",
      "totalexcltax", "totalextax", "totalexclvat", "totalwithouttax", "amountuntaxed",
    ],
    "totalTax": [
      "totaltax", "taxtotal", "tax", "taxamount", "totaltaxamount", "vat", "vatamount", "totalvat",
      "amounttax",
    ],
    "total": [
      "total", "totalamount", "grandtotal", "amounttotal", "totalgross", "grosstotal",
      "grossamount", "totalgrossamount", "totalincltax", "totalinctax", "totalinclvat",
      "totalwithtax", "invoicetotal", "invoiceamount", "gross", "amount", "totalprice", "sum",
    ],
    "amountPaid": ["amountpaid", "paidamount", "totalpaid", "paidtotal", "amountreceived", "paid"],
    "amountDue": [
      "amountdue", "dueamount", "balance", "balancedue", "outstanding", "outstandingamount",
      "amountoutstanding", "openamount", "amountopen", "remaining", "remainingamount", "totaldue",
      "due",
    ],
  ]

  static let payment: [String: [String]] = [
    "id": ["id", "uuid", "guid", "paymentid", "identifier", "key"],
    "status": ["status", "state", "paymentstatus"],
    "currency": ["currency", "currencycode", "isocurrency", "paymentcurrency", "curr"],
    "date": [
      "date", "paymentdate", "paidon", "paidat", "paiddate", "datepaid", "receivedon", "receivedat",
      "receiveddate", "valuedate", "bookingdate", "createdat", "created",
    ],
    "amount": [
      "amount", "paymentamount", "amountpaid", "paidamount", "totalamount", "total",
      "amountreceived", "value", "sum",
    ],
    "method": ["method", "paymentmethod", "paymenttype", "paymentmode", "means"],
    "reference": ["reference", "paymentreference", "ref", "number", "paymentnumber"],
    "updatedAt": updatedAt,
  ]

  static let contact: [String: [String]] = [
    "id": ["id", "uuid", "guid", "contactid", "customerid", "clientid", "identifier", "key"],
    "name": [
      "name", "displayname", "fullname", "companyname", "company", "organisation", "organization",
      "contactname", "customername",
    ],
    "email": ["email", "emailaddress", "mail"],
    "phone": ["phone", "phonenumber", "telephone", "tel"],
    "taxNumber": ["taxnumber", "vatnumber", "vatid", "taxid", "vat"],
    "updatedAt": updatedAt,
  ]

  private static let updatedAt = [
    "updatedat", "updated", "updatedon", "modifiedat", "modified", "modifiedon", "lastmodified",
    "lastmodifieddate", "lastmodifiedat", "lastupdated", "lastupdatedat", "dateupdated",
    "datemodified", "changedat",
  ]

  static let lists = [
    "lines", "lineitems", "invoicelines", "invoiceitems", "items", "rows", "positions", "entries",
  ]

  static let line: [String: [String]] = [
    "description": ["description", "title", "text", "name", "label", "productname"],
    "quantity": ["quantity", "qty", "units", "count"],
    "unitAmount": ["unitamount", "unitprice", "price", "priceperunit", "unitcost", "rate", "cost"],
    "lineAmount": [
      "lineamount", "linetotal", "total", "totalamount", "amount", "sum", "netamount", "net",
      "subtotal",
    ],
    "taxRate": [
      "taxrate", "vatrate", "taxpercent", "vatpercent", "taxpercentage", "vatpercentage",
    ],
  ]

  /// appcore's word for the usual words of a status.
  static let statuses: [String: InvoiceStatus] = words([
    .draft: ["draft", "unsent", "saved"],
    .scheduled: ["scheduled", "planned"],
    .open: [
      "open", "sent", "unpaid", "outstanding", "authorised", "authorized", "approved", "issued",
      "posted", "submitted", "overdue", "late", "finalized", "finalised", "due", "viewed",
      "notpaid",
    ],
    .partiallyPaid: ["partiallypaid", "partlypaid", "partpaid", "partial"],
    .paid: ["paid", "settled", "closed", "fullypaid", "payed"],
    .void: ["void", "voided", "cancelled", "canceled", "annulled"],
    .deleted: ["deleted", "removed", "trashed"],
    .refunded: ["refunded"],
    .writtenOff: ["writtenoff", "uncollectible"],
  ])

  /// appcore's word for the usual words of a payment's status.
  static let paymentStatuses: [String: PaymentStatus] = words([
    .completed: [
      "complete", "succeeded", "success", "successful", "paid", "settled", "captured", "posted",
      "cleared", "received", "done",
    ],
    .pending: ["processing", "submitted", "open", "inprogress"],
    .failed: ["declined", "bounced", "rejected", "returned", "failure"],
    .void: ["voided", "cancelled", "canceled", "reversed"],
    .deleted: ["removed"],
  ])

  /// appcore's word for the usual words of a type.
  static let types: [String: InvoiceType] = words([
    .invoice: ["invoice", "sale", "sales", "salesinvoice", "standard", "accrec"],
    .creditNote: ["creditnote", "credit", "creditmemo", "salescreditnote"],
    .bill: ["bill", "purchase", "purchaseinvoice", "supplierinvoice", "vendorinvoice", "accpay"],
    .billCredit: ["billcredit", "suppliercredit", "vendorcredit"],
  ])

  private static func words<Word: Hashable>(_ words: [Word: [String]]) -> [String: Word] {
    Dictionary(
      uniqueKeysWithValues: words.flatMap { word, texts in texts.map { ($0, word) } })
  }
}
