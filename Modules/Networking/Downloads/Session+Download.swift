extension Session {
  /// Downloads to a file, in constant memory, and resumes an interrupted download.
  ///
  /// The received part is in `path.part` until the file is complete; it is then renamed to `path`.
  /// A lost connection is resumed if the server identifies the version of the file (a strong `ETag`
  /// or `Last-Modified`, RFC 9110 section 13.1.5). So is the download of an earlier run of the
  /// program. If the file has changed, the download starts over.
  ///
  /// `timeout.request` limits each request of the download. The next request resumes after the
  /// received part, if the server allows it.
  ///
  /// - Parameters:
  ///   - request: the request for the file.
  ///   - path: the file to write.
  ///   - progress: called after each piece.
  /// - Throws: ``DownloadError``, and the errors of ``stream(_:)``. The received part is kept for
  ///   the next time.
  public func download(
    _ request: Request, to path: String,
    progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws -> Download {
    try await FileDownload(session: self, request: request, path: path, progress: progress).run()
  }
}
