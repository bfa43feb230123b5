import Foundation
import SystemSupport
import Testing

/// The published examples of the algorithms.
@Suite(.timeLimit(.minutes(2))) struct CryptographyTests {
  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue).map(UInt8.init)
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  @Test(
    "a digest is the one that FIPS 180-4 gives as an example",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func digest(text: String, digest: String) {
    #expect(SHA256.hash(Data(text.utf8)).hexadecimal == digest)
  }

  @Test(
    "a derived key is the one of RFC 7914 section 12",
    arguments: [
      (
        "password", "NaCl", 1024, 16,
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", 16384, 1,
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
    ])
  func derivation(
    passphrase: String, salt: String, rounds: Int, parallelism: Int, key: String
  ) throws {
    let derived = try Scrypt.key(
      from: Data(passphrase.utf8), salt: Data(salt.utf8), rounds: rounds, parallelism: parallelism,
      byteCount: 64)
    #expect(derived.hexadecimal == key)
  }

  // McGrew and Viega, "The Galois/Counter Mode of Operation", test case 16.
  @Test("a box of the specification's test case 16 opens, and a changed one does not")
  func box() throws {
    let key = Self.bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    let header = Self.bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    let text = Self.bytes(
      """
      d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
      1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
      """)
    let box = Self.bytes(
      """
      cafebabefacedbaddecaf888
      522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
      8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
      76fc6ece0f4e1768cddf8853bb2d551b
      """)
    #expect(try AESGCM.open(box, key: key, authenticating: header) == Data(text))
    for index in box.indices {
      var changed = box
      changed[index] ^= 1
      #expect(try AESGCM.open(changed, key: key, authenticating: header) == nil)
    }
    #expect(try AESGCM.open(box, key: key, authenticating: Array(header.dropLast())) == nil)
    #expect(try AESGCM.open(box.prefix(27), key: key, authenticating: header) == nil)
  }

  @Test("what is sealed opens with its key alone, and no two boxes are equal")
  func sealing() throws {
    let (key, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    let boxes = try (0..<2).map { _ in
      try AESGCM.seal(Data("secret".utf8), key: key, authenticating: [])
    }
    #expect(boxes[0] != boxes[1])
    for box in boxes {
      #expect(try AESGCM.open(box, key: key, authenticating: []) == Data("secret".utf8))
      #expect(try AESGCM.open(box, key: other, authenticating: []) == nil)
    }
  }
}
