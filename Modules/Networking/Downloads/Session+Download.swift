extension Session {
  /// Downloads into a file, in constant memory, going on where it was interrupted.
  ///
  /// What has arrived stands in `path.part` until the whole is there, and takes its place in one
  /// step then. A connection that is lost is taken up again where the server says which version of
  /// the file it serves (a strong `ETag` or `Last-Modified`, RFC 9110 section 13.1.5); so is the
  /// download of an earlier run of the program. A changed file starts over.
  ///
  /// Each request of it is bounded by `timeout.request`; what has come by then is gone on from,
  /// where the server allows that.
  ///
  /// - Parameters:
  ///   - request: the request for the file.
  ///   - path: the file to write.
  ///   - progress: called after each piece.
  /// - Throws: ``DownloadError``; as ``stream(_:)``. What has arrived is kept for the next time.
  public func download(
    _ request: Request, to path: String,
    progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws -> Download {
    try await FileDownload(session: self, request: request, path: path, progress: progress).run()
  }
}
