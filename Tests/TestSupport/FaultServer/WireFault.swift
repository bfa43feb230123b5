/// A fault of a server, or of the way to it.
///
/// Those that stop talking hold the connection open until the client leaves.
package enum WireFault: String, CaseIterable, Sendable {
  // Making the connection
  case connectHangs
  case handshakeHangs
  case cleartextOnTLSPort
  // The time
  case noHead
  case slowHead
  case stalledHead
  case slowBody
  case stalledBody
  case endlessInformational
  // The end of the connection
  case closedBeforeHead
  case closedInHead
  case halfClosedInHead
  case halfClosedInBody
  case resetBeforeHead
  case resetInHead
  case resetInBody
  case lengthTooLong
  case endedInChunks
  // What is no HTTP
  case garbageStatusLine
  case nulInHeader
  case twoContentLengths
  case lengthAndChunks
  case badChunkSize
  case endlessChunkExtension
  case overlongHeader
  case endlessHeaders
  case switchedProtocols
  case brokenGzip
  // Too much
  case endlessBody
  case endlessChunks
  case gzipBomb
  // Redirects
  case redirectLoop
  case redirectToNowhere
  case redirectToCleartext
  // Odd, and still an answer
  case informational
  case lengthTooShort
  case redirectWithoutLocation

  package var name: String { rawValue }
}
