import AppCoreCommands

await CommandLineProgram.main()
