/// The descriptions in `Config/providers`, which are part of every library and program.
package enum ProviderDescriptions {
  /// The text of each description, by the provider's name.
  package static let texts: [String: [UInt8]] = [
    "business-central": PackageResources.business_central_yaml,
    "exact-online": PackageResources.exact_online_yaml,
    "lexware-office": PackageResources.lexware_office_yaml,
    "tripletex": PackageResources.tripletex_yaml,
  ]
}
