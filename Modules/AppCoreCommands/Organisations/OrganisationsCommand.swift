import ArgumentParser

/// `appcore organisations`.
struct OrganisationsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "organisations",
    abstract: "List the organisations that a login reaches, and add them as accounts.",
    discussion: """
      Without a subcommand, it lists them. An added account shares the login, and has its own file \
      in the folder accounts.d beside the configuration file.
      """,
    subcommands: [
      OrganisationsListCommand.self, OrganisationsAddCommand.self, OrganisationsRemoveCommand.self,
    ],
    defaultSubcommand: OrganisationsListCommand.self)
}

/// The option that names a login.
struct LoginOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Use the login of this account only.", valueName: "account"),
    completion: ConfiguredValues.accounts)
  var login: String?
}
