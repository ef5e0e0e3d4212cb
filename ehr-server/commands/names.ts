/** The commands of the EHR server, each with its line in `--help`. */
export const commandNames = {
  audit: 'list who read which patient and who changed which session or link',
  backup: 'copy the database while the server runs',
} as const;

/** Whether a command line names a command, even misspelled, and does not start the server with its flags. */
export function asksForCommand(argv: readonly string[]): boolean {
  return argv[0] !== undefined && !argv[0].startsWith('-');
}

/** The lines of the help text that list the commands. */
export function commandLines(): string {
  return Object.entries(commandNames)
    .map(([name, what]) => `  ${name.padEnd(9)}${what}`)
    .join('\n');
}
