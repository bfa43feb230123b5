import Models

@testable import Sandbox

/// The sandbox's payments as a provider shows them.
enum ShownPayments {
  /// A voided payment has lost its amounts, and identifiers are unique among those of a kind.
  @Sendable static func quickbooks(_ server: SandboxServer, _ resource: Resource) -> [Payment] {
    server.payments().map { payment in
      var payment = payment
      if payment.type == .payment {
        payment.id = "billpayment/" + payment.id
        payment.contactID = payment.contactID.map { "vendor/" + $0 }
        payment.allocations[0].invoiceID = "bill/" + payment.allocations[0].invoiceID
      } else {
        payment.unallocatedAmount = .zero
      }
      payment.method = "Check"
      payment.allocations[0].date = nil
      payment.allocations[0].invoiceNumber = nil
      if payment.status == .void {
        (payment.rawStatus, payment.amount, payment.allocations) = ("Voided", .zero, [])
      }
      payment.updatedAt = payment.updatedAt?.truncatedToSecond
      return payment
    }
  }
}
