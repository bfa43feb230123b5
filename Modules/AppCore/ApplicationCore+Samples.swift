import Foundation
import Storage
public import Sync

extension ApplicationCore {
  /// The account to try a provider out with: the default one where it is of that provider, else the
  /// first by name.
  ///
  /// - Throws: ``ConfigurationError`` where there is no such provider, or no account of it.
  public func account(of provider: String) throws -> String {
    _ = try ProviderCatalogue.provider(provider, in: configuration)
    let names = configuration.accounts.filter { $0.value.provider == provider }.keys.sorted()
    guard let first = names.first else {
      throw ConfigurationError(
        source: "accounts",
        problem: "no account names the provider '\(provider)'; add provider: \(provider) to one")
    }
    return names.contains(configuration.defaultAccount) ? configuration.defaultAccount : first
  }

  /// Reads one page of a resource, and tells how its first record is understood.
  ///
  /// The account's database is not touched.
  ///
  /// - Throws: as ``sync(of:account:)`` and the sync itself.
  public func sample(of resource: String, account name: String) async throws -> ResourceSample {
    // A sync is made for a database; this one holds nothing and is gone afterwards.
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "appcore-sample-" + UUID().uuidString
    ).path(percentEncoded: false)
    do { try Directories.create(folder) } catch {
      throw StorageError.inaccessible(path: folder, underlying: error)
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let database = try await LocalDatabase.open(at: folder + "/sample.sqlite")
    let sample: Result<ResourceSample, any Error>
    do {
      sample = .success(
        try await sync(of: resource, account: name, into: database).sample())
    } catch {
      sample = .failure(error)
    }
    try await database.close()
    return try sample.get()
  }
}
