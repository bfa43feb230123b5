package import Models
package import Sync

/// One event of `--progress=json`; absent members do not apply to the event.
package struct ProgressDocument: Encodable {
  let schemaVersion = 1
  let event: String
  let account: String
  let resource: String
  private(set) var provider: String?
  private(set) var processID: Int32?
  private(set) var since: Timestamp?
  private(set) var limitSeconds: Double?
  private(set) var reason: String?
  private(set) var seconds: Double?
  private(set) var until: Timestamp?
  private(set) var pages: Int?
  private(set) var records: Int?
  private(set) var position: Int?
  private(set) var total: Int?
  private(set) var recordsPerSecond: Double?
  private(set) var remainingSeconds: Double?
  private(set) var result: String?

  package init(_ event: SyncProgress, account: String, resource: Resource) {
    self.account = account
    self.resource = resource.rawValue
    switch event {
    case .waitingForProcess(let wait):
      self.event = "waiting-for-process"
      processID = wait.processID
      since = wait.since
      limitSeconds = wait.limit.inSeconds
    case .connecting(let provider):
      self.event = "connecting"
      self.provider = provider
    case .waiting(let wait):
      self.event = "waiting"
      reason = wait.reason.rawValue
      seconds = wait.duration.inSeconds
      until = wait.end
    case .stored(let stored):
      self.event = "stored"
      pages = stored.pages
      records = stored.records
      position = stored.position
      total = stored.total
      recordsPerSecond = stored.recordsPerSecond.map { ($0 * 10).rounded() / 10 }
      remainingSeconds = stored.timeRemaining?.inSeconds
    case .indexing: self.event = "indexing"
    case .finished(let result):
      self.event = "finished"
      self.result = result.rawValue
    }
  }
}
