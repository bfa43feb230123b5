/// Replies in Moneybird's form.
enum MoneybirdSamples {
  static let invoice = #"""
    [{
      "id": "496081512464123498", "administration_id": 123, "contact_id": "496081512070907462",
      "contact": {
        "id": "496081512070907462", "administration_id": 123,
        "company_name": "Foobar Holding B.V.", "firstname": "Ada", "lastname": null,
        "email": "info@foobar.test", "tax_number": "NL001234567B01",
        "address1": "Hoofdstraat 12", "address2": "", "zipcode": "1234 AB", "city": "Amsterdam",
        "country": "NL", "notes": [],
        "custom_fields": [], "contact_people": [{"id": "1", "email": "other@foobar.test"}]
      },
      "contact_person": null, "invoice_id": "2026-0003", "draft_id": null, "state": "reminded",
      "invoice_date": "2026-08-21", "due_date": "2026-09-04", "reference": "Project X",
      "currency": "EUR", "discount": "0.0", "paused": false, "paid_at": null,
      "created_at": "2026-08-21T13:50:19.001Z", "updated_at": "2026-08-21T13:50:19.129Z",
      "version": 1787320219,
      "details": [{
        "id": "496081512467269227", "administration_id": 123, "tax_rate_id": "496081347565061258",
        "ledger_account_id": "496081347348006010", "amount": "1,5 hours", "amount_decimal": "1.5",
        "description": "Advice, with \"notes\"", "price": "200.0667", "period": null,
        "row_order": 1, "total_price_excl_tax_with_discount": "300.10",
        "total_price_excl_tax_with_discount_base": "300.10", "tax_report_reference": ["NL/1a"]
      }],
      "payments": [
        {"id": 77, "invoice_id": "496081512464123498", "price": "100.00", "price_base": "100.00",
         "payment_date": "2026-08-30", "transaction_identifier": "bank-1",
         "credit_invoice_id": null},
        {"id": "78", "price": "20.0", "payment_date": "2026-08-31", "transaction_identifier": null,
         "credit_invoice_id": "496081512464129999"}
      ],
      "total_paid": "120.00", "total_unpaid": "243.12", "total_unpaid_base": "243.12",
      "prices_are_incl_tax": false, "total_price_excl_tax": "300.10",
      "total_price_excl_tax_base": "300.10", "total_price_incl_tax": "363.12",
      "total_price_incl_tax_base": "363.12", "total_discount": "0.0",
      "url": "https://moneybird.test/123/x", "custom_fields": [], "notes": [],
      "attachments": [
        {"id": "88", "attachable_type": "SalesInvoice", "filename": "hours.pdf",
         "content_type": "application/pdf", "size": 4, "rotation": 0}
      ],
      "events": [{"action": "sales_invoice_created", "data": {}}],
      "tax_totals": [
        {"tax_rate_id": "496081347565061258", "taxable_amount": "300.10",
         "taxable_amount_base": "300.10", "tax_amount": "63.02", "tax_amount_base": "63.02"}
      ],
      "time_entries": []
    }]
    """#
}
