import Foundation
import Networking

/// Downloads into a file and watches the memory of this process meanwhile.
struct LargeDownload {
  struct Report: Encodable {
    let size: Int
    /// By how much resident memory grew at the most, in bytes, after the first megabytes.
    let growth: Int
  }

  let url: String
  let path: String

  func run() async throws -> Report {
    guard let url = URL(string: url) else { throw CocoaError(.coderInvalidValue) }
    var configuration = SessionConfiguration()
    configuration.proxy = .none
    configuration.timeout.request = .seconds(600)
    let session = Session(name: "download", configuration: configuration)
    let watch = MemoryWatch()
    let download = try await session.download(try Request(url: url), to: path) { progress in
      watch.look(at: progress.received)
    }
    await session.shutdown()
    return Report(size: download.size, growth: watch.growth)
  }
}
