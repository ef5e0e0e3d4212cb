/** The commands of the EHR server besides running it, each with what `--help` says of it. */
export const commandNames = {
  audit: 'list who read which patient and who changed which session or link',
  backup: 'copy the database while the server runs',
} as const;

/** Whether a command line asks for a command, or misspells one, rather than for the server with its flags. */
export function asksForCommand(argv: readonly string[]): boolean {
  return argv[0] !== undefined && !argv[0].startsWith('-');
}

/** The commands as lines of a help text. */
export function commandLines(): string {
  return Object.entries(commandNames)
    .map(([name, what]) => `  ${name.padEnd(9)}${what}`)
    .join('\n');
}
