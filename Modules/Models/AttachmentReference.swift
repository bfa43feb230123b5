/// A document that belongs to an invoice and stays at the provider (EN 16931 BG-24).
public struct AttachmentReference: Sendable, Hashable {
  /// The provider's identifier of the document (BT-122), if there is one.
  public var id: String?
  /// The file's name (BT-125-2).
  public var fileName: String?
  /// The kind of file, such as `application/pdf` (BT-125-1).
  public var mediaType: String?
  /// The URL of the file (BT-124), usually only for signed-in users.
  public var url: String?

  /// Creates a reference.
  public init(
    id: String? = nil, fileName: String? = nil, mediaType: String? = nil, url: String? = nil
  ) {
    self.id = id
    self.fileName = fileName
    self.mediaType = mediaType
    self.url = url
  }
}
