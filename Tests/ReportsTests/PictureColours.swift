import Foundation
import Testing

/// The colours of a picture, which the browser counts.
struct PictureColours: Decodable {
  let width: Int
  let height: Int
  /// The colour of the upper left corner, such as `#10151c`.
  let corner: String
  /// The number of pixels of each colour.
  private let counts: [String: Int]

  init(_ picture: Data, in browser: Browser) async throws {
    let text = try await browser.result(
      of: """
        <!DOCTYPE html><p id="result"></p><script>
        function count(image) {
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const bytes = context.getImageData(0, 0, canvas.width, canvas.height).data;
          const counts = new Map();
          for (let i = 0; i < bytes.length; i += 4) {
            const pixel = (bytes[i] << 16) + (bytes[i + 1] << 8) + bytes[i + 2];
            counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
          }
          const name = pixel => "#" + pixel.toString(16).padStart(6, "0");
          result.textContent = JSON.stringify({
            width: canvas.width, height: canvas.height,
            corner: name((bytes[0] << 16) + (bytes[1] << 8) + bytes[2]),
            counts: Object.fromEntries([...counts].map(([pixel, n]) => [name(pixel), n])),
          });
        }
        </script>
        <img onload="count(this)" src="data:image/png;base64,\(picture.base64EncodedString())">
        """)
    self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
  }

  /// The number of colours that differ.
  var count: Int { counts.count }

  /// Returns the share of the pixels that have a colour, in percent.
  func share(of colour: String) -> Double {
    Double(100 * (counts[colour] ?? 0)) / Double(width * height)
  }
}
