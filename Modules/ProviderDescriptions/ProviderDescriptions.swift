/// The descriptions in `Config/providers`, which are part of every library and program.
package enum ProviderDescriptions {
  /// The text of each description, by the provider's name.
  package static let texts: [String: [UInt8]] = [
    "business-central": PackageResources.business_central_yaml,
    "chargebee": PackageResources.chargebee_yaml,
    "exact-online": PackageResources.exact_online_yaml,
    "fakturoid": PackageResources.fakturoid_yaml,
    "fatture-in-cloud": PackageResources.fatture_in_cloud_yaml,
    "freeagent": PackageResources.freeagent_yaml,
    "freshbooks": PackageResources.freshbooks_yaml,
    "harvest": PackageResources.harvest_yaml,
    "holded": PackageResources.holded_yaml,
    "invoice-ninja": PackageResources.invoice_ninja_yaml,
    "lago": PackageResources.lago_yaml,
    "lemon-squeezy": PackageResources.lemon_squeezy_yaml,
    "lexware-office": PackageResources.lexware_office_yaml,
    "moco": PackageResources.moco_yaml,
    "paddle": PackageResources.paddle_yaml,
    "recurly": PackageResources.recurly_yaml,
    "sage-accounting": PackageResources.sage_accounting_yaml,
    "tripletex": PackageResources.tripletex_yaml,
    "zoho-books": PackageResources.zoho_books_yaml,
  ]
}
