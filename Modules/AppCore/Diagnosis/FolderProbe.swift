import Foundation
import Glibc

/// A folder that appcore writes to, tried by creating a file in it.
struct FolderProbe {
  let path: String

  /// The nearest folder that exists: the folder itself, or one above it.
  var existing: String {
    var folder = path
    while access(folder, F_OK) != 0, folder != "/", !folder.isEmpty {
      folder = URL(filePath: folder).deletingLastPathComponent().path(percentEncoded: false)
      if folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    }
    return folder.isEmpty ? "/" : folder
  }

  /// The reason why nothing can be written, such as `Permission denied`; `nil` if it can.
  ///
  /// A folder that is missing can be created if the one above it can be written.
  var problem: String? {
    let folder = existing
    let file = folder + "/.appcore-probe-\(UUID().uuidString)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    close(descriptor)
    unlink(file)
    return nil
  }

  /// The number of bytes that are free for this user; `nil` if the system does not say.
  var room: Int64? {
    var found = statvfs()
    guard statvfs(existing, &found) == 0 else { return nil }
    return Int64(clamping: found.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: found.f_frsize)
    ).partialValue
  }
}
