import AppCore

func frontEndConfiguration(from file: String? = nil) throws -> CoreConfiguration {
  try ConfigurationLoader(providers: [LedgerlyProvider()]).load(path: file)
}
