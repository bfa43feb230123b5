/// The providers that need no description: the only list of them.
package enum BuiltInProviders {
  package static let all: [any Provider] = [
    XeroProvider(), QuickBooksProvider(), StripeProvider(), SquareProvider(), MoneybirdProvider(),
  ]
}
