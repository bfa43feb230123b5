import AsyncHTTPClient
import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

struct TransportFailure: Error {
  private let underlying: any Error
  private let isHeadWritten: Bool

  init(_ underlying: any Error, isHeadWritten: Bool = false) {
    self.underlying = underlying
    self.isHeadWritten = isHeadWritten
  }

  func error(origin: Origin, session: String, ratio: Int) -> any Error {
    switch underlying {
    case is CancellationError, is SessionError:
      return underlying
    case is UnaskedUpgrade, is UnknownEncoding:
      return SessionError.malformedResponse(origin: origin, underlying: underlying)
    case let failure as UploadFailure:
      return failure.underlying
    case let error as HTTPClientError:
      return error.translated(origin: origin, session: session)
    case NIOSSLError.failedToLoadCertificate:
      return SessionError.invalidRequest(
        reason: "cannot read a file of the session's extraCACertificates")
    case _ where isOfHandshake:
      return SessionError.untrustedServer(origin: origin, underlying: underlying)
    case is NIOHTTPDecompression.DecompressionError,
      is NIOHTTPDecompression.ExtraDecompressionError:
      return isLimit
        ? SessionError.decompressionRefused(ratio: ratio)
        : SessionError.malformedResponse(origin: origin, underlying: underlying)
    case HTTPParserError.invalidEOFState:
      // The body was cut off: a fault of the connection, not of the server's response.
      return SessionError.connectionLost(origin: origin, underlying: underlying)
    case is HTTPParserError:
      return SessionError.malformedResponse(origin: origin, underlying: underlying)
    case is NIOConnectionError:
      return SessionError.connectionFailed(origin: origin, underlying: underlying)
    case let error as IOError
    // Not EHOSTUNREACH and the like: an established connection can end with them as well.
    where [ECONNREFUSED, EADDRNOTAVAIL].contains(error.errnoCode):
      return SessionError.connectionFailed(origin: origin, underlying: error)
    default:
      return SessionError.connectionLost(origin: origin, underlying: underlying)
    }
  }

  /// True if the error alone proves that there was no connection to write to.
  var isBeforeWriting: Bool {
    guard !isHeadWritten else { return false }
    return switch underlying {
    case let error as HTTPClientError: error.isBeforeWriting
    case NIOSSLError.failedToLoadCertificate, is NIOConnectionError: true
    case let error as IOError: [ECONNREFUSED, EADDRNOTAVAIL].contains(error.errnoCode)
    default: isOfHandshake
    }
  }

  /// True if TLS failed before the connection was established; a later failure is a lost
  /// connection.
  private var isOfHandshake: Bool {
    guard !isHeadWritten else { return false }
    return switch underlying {
    case NIOSSLError.handshakeFailed, NIOSSLError.cannotMatchULabel,
      NIOSSLError.noCertificateToValidate, NIOSSLError.unableToValidateCertificate,
      NIOSSLError.cannotFindPeerIP, is NIOSSLExtraError:
      true
    // Other errors, and plain ones of BoringSSL, occur when records are read or written.
    default: false
    }
  }

  private var isLimit: Bool {
    if let error = underlying as? NIOHTTPDecompression.DecompressionError, case .limit = error {
      return true
    }
    return false
  }
}

extension HTTPClientError {
  fileprivate var isBeforeWriting: Bool {
    switch self {
    case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout,
      .httpProxyHandshakeTimeout, .proxyAuthenticationRequired, .invalidProxyResponse, .invalidURL,
      .emptyHost, .emptyScheme, .alreadyShutdown:
      true
    default: false
    }
  }

  fileprivate func translated(origin: Origin?, session: String) -> any Error {
    switch self {
    case .cancelled: CancellationError()
    case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout,
      .httpProxyHandshakeTimeout:
      SessionError.timedOut(phase: .connect, origin: origin)
    case .readTimeout, .writeTimeout: SessionError.timedOut(phase: .idle, origin: origin)
    case .deadlineExceeded: SessionError.timedOut(phase: .request, origin: origin)
    case .proxyAuthenticationRequired: SessionError.proxyAuthenticationRequired
    case .invalidProxyResponse:
      // The proxy refused the tunnel, so nothing was sent.
      SessionError.connectionFailed(origin: origin, underlying: self)
    case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody, .bodyLengthMismatch:
      SessionError.invalidRequest(reason: "\(shortDescription)")
    case .alreadyShutdown: SessionError.closed(session: session)
    default: SessionError.connectionLost(origin: origin, underlying: self)
    }
  }
}

/// The cause of a connection that could not be made, in the words of a message.
enum ConnectionCause: String {
  case unknownName = "name not found"
  case refused = "connection refused"
  case timedOut = "timed out"
  case noRoute = "no route to the server"
  case refusedByProxy = "refused by the proxy"

  init?(_ error: any Error) {
    switch error {
    case let error as NIOConnectionError:
      // Without an address there was no attempt to connect.
      guard let last = error.connectionErrors.last else {
        guard error.dnsAError != nil || error.dnsAAAAError != nil else { return nil }
        self = .unknownName
        return
      }
      self.init(last.error)
    case let error as IOError: self.init(errno: error.errnoCode)
    case ChannelError.connectTimeout: self = .timedOut
    case let error as HTTPClientError where error == .invalidProxyResponse:
      self = .refusedByProxy
    default: return nil
    }
  }

  private init?(errno code: CInt) {
    switch code {
    case ECONNREFUSED: self = .refused
    case ETIMEDOUT: self = .timedOut
    case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL: self = .noRoute
    default: return nil
    }
  }
}
