import Glibc

/// The name of a file in `/proc/locks`: the device of its file system and its inode.
struct ListedFile: Equatable {
  let major: UInt32
  let minor: UInt32
  let inode: UInt64

  init(major: UInt32, minor: UInt32, inode: UInt64) {
    (self.major, self.minor, self.inode) = (major, minor, inode)
  }

  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var found = stat()
    guard fstat(descriptor, &found) == 0 else { return nil }
    let device = UInt64(found.st_dev)
    // The kernel lists the device of the file system. On btrfs and overlayfs, `stat` reports the
    // device of a subvolume or layer; the table of mounts agrees with the kernel's list.
    let mounted = Self.mountedDevice(of: descriptor)
    major =
      mounted?.major ?? UInt32(truncatingIfNeeded: device >> 8 & 0xFFF | device >> 32 & ~0xFFF)
    minor = mounted?.minor ?? UInt32(truncatingIfNeeded: device & 0xFF | device >> 12 & ~0xFF)
    inode = UInt64(found.st_ino)
  }

  /// Returns the process that holds an exclusive or shared `flock` on the file.
  func holder(in table: String) -> Int32? {
    // proc_locks(5): `1: FLOCK ADVISORY WRITE 4242 08:01:131 0 EOF`; lines with `->` only wait.
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 5, fields[1] == "FLOCK", isNamed(by: fields[5]) else { continue }
      return Int32(fields[4])
    }
    return nil
  }

  /// Returns whether a text such as `08:01:131` names the file: the device is hexadecimal, the
  /// inode decimal.
  private func isNamed(by text: Substring) -> Bool {
    let parts = text.split(separator: ":")
    return parts.count == 3 && UInt32(parts[0], radix: 16) == major
      && UInt32(parts[1], radix: 16) == minor && UInt64(parts[2]) == inode
  }

  /// Reads the device from the table of mounts.
  ///
  /// proc_pid_mountinfo(5): `36 35 98:0 /mnt1 /mnt2 rw - ext3 …` starts with the mount's number,
  /// its parent's number, and the device of its file system.
  private static func mountedDevice(of descriptor: CInt) -> (major: UInt32, minor: UInt32)? {
    guard
      let information = KernelFile.text(at: "/proc/self/fdinfo/\(descriptor)"),
      let number = information.split(separator: "\n").first(where: { $0.hasPrefix("mnt_id:") })?
        .split(whereSeparator: \.isWhitespace).last,
      let mounts = KernelFile.text(at: "/proc/self/mountinfo")
    else { return nil }
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 3)
      guard fields.count > 3, fields[0] == number else { continue }
      let parts = fields[2].split(separator: ":")
      guard parts.count == 2, let major = UInt32(parts[0]), let minor = UInt32(parts[1]) else {
        return nil
      }
      return (major, minor)
    }
    return nil
  }
}
