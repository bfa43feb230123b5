import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// What an error of the transport means to a caller.
struct TransportFailure {
  private let underlying: any Error

  init(_ underlying: any Error) {
    self.underlying = underlying
  }

  func error(origin: Origin, session: String, ratio: Int) -> any Error {
    switch underlying {
    case is CancellationError, is SessionError:
      return underlying
    case let failure as UploadFailure:
      return failure.underlying
    case let error as HTTPClientError:
      return error.translated(origin: origin, session: session)
    case NIOSSLError.failedToLoadCertificate:
      return SessionError.invalidRequest(
        reason: "a file of the session's extra certificates cannot be read")
    case NIOSSLError.uncleanShutdown:
      return SessionError.connectionLost(origin: origin, underlying: underlying)
    case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
      return SessionError.untrustedServer(origin: origin, underlying: underlying)
    case is NIOHTTPDecompression.DecompressionError,
      is NIOHTTPDecompression.ExtraDecompressionError:
      return isLimit
        ? SessionError.decompressionRefused(ratio: ratio)
        : SessionError.malformedResponse(origin: origin, underlying: underlying)
    case HTTPParserError.invalidEOFState:
      // The body was cut off: a fault of the way, not of what the server has to say.
      return SessionError.connectionLost(origin: origin, underlying: underlying)
    case is HTTPParserError:
      return SessionError.malformedResponse(origin: origin, underlying: underlying)
    case is NIOConnectionError:
      return SessionError.connectionFailed(origin: origin, underlying: underlying)
    case let error as IOError
    // Not EHOSTUNREACH and the like: a connection that stood can end with them as well.
    where [ECONNREFUSED, EADDRNOTAVAIL].contains(error.errnoCode):
      return SessionError.connectionFailed(origin: origin, underlying: error)
    default:
      return SessionError.connectionLost(origin: origin, underlying: underlying)
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
      // The proxy would not lead there: nothing was sent.
      SessionError.connectionFailed(origin: origin, underlying: self)
    case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody, .bodyLengthMismatch:
      SessionError.invalidRequest(reason: "\(shortDescription)")
    case .alreadyShutdown: SessionError.closed(session: session)
    default: SessionError.connectionLost(origin: origin, underlying: self)
    }
  }
}
