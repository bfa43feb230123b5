/// Replies in Square's form.
enum SquareSamples {
  static let page = #"""
    {"invoices": [
      {
        "id": "inv:0-ChC366", "version": 3, "location_id": "L1", "order_id": "order-1",
        "invoice_number": "inv-455", "status": "PARTIALLY_PAID", "timezone": "America/Los_Angeles",
        "primary_recipient": {
          "customer_id": "JDKYHBWT", "given_name": "Amelia", "family_name": "Earhart",
          "email_address": "amelia@flights.test", "phone_number": "1-212-555-4240",
          "address": {"address_line_2": "Suite 7", "address_line_1": "500 Electric Ave",
            "locality": "New York", "administrative_district_level_1": "NY",
            "postal_code": "10003", "country": "US"}, "tax_ids": {"eu_vat": "IE3426675K"}
        },
        "payment_requests": [
          {"uid": "a", "request_type": "DEPOSIT", "due_date": "2030-01-23",
           "percentage_requested": "25", "tipping_enabled": false,
           "computed_amount_money": {"amount": 1000, "currency": "USD"},
           "total_completed_amount_money": {"amount": 1001, "currency": "USD"},
           "rounding_adjustment_included_money": {"amount": 1, "currency": "USD"}},
          {"uid": "b", "request_type": "BALANCE", "due_date": "2030-06-15",
           "reminders": [{"uid": "r", "relative_scheduled_days": -1}],
           "computed_amount_money": {"amount": 3000, "currency": "USD"},
           "total_completed_amount_money": {"amount": 0, "currency": "USD"}}
        ],
        "next_payment_amount_money": {"amount": 3000, "currency": "USD"},
        "scheduled_at": "2030-01-13T03:00:00Z", "created_at": "2030-01-12T17:45:13Z",
        "updated_at": "2030-01-13T21:24:10.123Z", "title": "Event",
        "accepted_payment_methods": {"card": true}, "custom_fields": [],
        "attachments": [
          {"id": "inva:0-3bB", "filename": "file.jpg", "mime_type": "image/jpeg", "filesize": 7}
        ]
      }
    ], "cursor": "next+/="}
    """#

  static let orders = #"""
    {"orders": [{
      "id": "order-1", "location_id": "L1", "reference_id": "PO 7", "version": 2,
      "line_items": [
        {"uid": "l1", "name": "Flight", "variation_name": "Return", "quantity": "2",
         "base_price_money": {"amount": 1599, "currency": "USD"},
         "total_discount_money": {"amount": 198, "currency": "USD"},
         "total_tax_money": {"amount": 300, "currency": "USD"},
         "total_money": {"amount": 3300, "currency": "USD"},
         "applied_taxes": [{"uid": "x", "tax_uid": "t1"}]},
        {"uid": "l2", "note": "Luggage", "quantity": "0.5",
         "base_price_money": {"amount": 1000, "currency": "USD"},
         "total_tax_money": {"amount": 0, "currency": "USD"},
         "total_money": {"amount": 500, "currency": "USD"}}
      ],
      "taxes": [
        {"uid": "t1", "name": "State", "percentage": "10.0", "type": "ADDITIVE", "scope": "ORDER",
         "applied_money": {"amount": 300, "currency": "USD"}}
      ],
      "service_charges": [
        {"uid": "s1", "name": "Delivery", "calculation_phase": "SUBTOTAL_PHASE",
         "amount_money": {"amount": 150, "currency": "USD"},
         "applied_money": {"amount": 150, "currency": "USD"},
         "total_money": {"amount": 150, "currency": "USD"}},
        {"uid": "s2", "percentage": "1.25", "applied_money": {"amount": 50, "currency": "USD"}},
        {"uid": "s3", "name": "Unknown"}
      ],
      "total_service_charge_money": {"amount": 200, "currency": "USD"},
      "total_tax_money": {"amount": 300, "currency": "USD"},
      "total_tip_money": {"amount": 50, "currency": "USD"},
      "total_money": {"amount": 4050, "currency": "USD"},
      "tenders": [
        {"id": "t", "payment_id": "pay-1", "created_at": "2030-01-14T10:00:00Z", "type": "CARD",
         "amount_money": {"amount": 1051, "currency": "USD"},
         "tip_money": {"amount": 50, "currency": "USD"}}
      ]
    }]}
    """#

  static let locations = #"""
    {"locations": [
      {"id": "L2", "name": "Second", "merchant_id": "M1", "status": "INACTIVE"},
      {"id": "L1", "name": "First", "merchant_id": "M1", "status": "ACTIVE", "currency": "USD"}
    ]}
    """#

  /// An invoice of no more than is needed.
  static func invoice(_ id: String, version: Int = 1, amount: Int = 100, _ rest: String = "")
    -> String
  {
    #"""
    {"id":"\#(id)","version":\#(version),"status":"UNPAID","payment_requests":[{
    "computed_amount_money":{"amount":\#(amount),"currency":"USD"}}]\#(rest)}
    """#
  }
}
