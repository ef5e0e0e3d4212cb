/** Writes down the command that starts the demo again. */

/**
 * Returns the command with the typed flags, followed by further flags, which take precedence. Quoted for a
 * shell.
 */
export function commandAgain(typed: readonly string[], ...flags: readonly string[]): string {
  return ['npm run demo --', ...[...typed, ...flags].map(quoted)].join(' ');
}

/** Returns a word of a command as a shell takes it. */
export function quoted(flag: string): string {
  return /^[\w@%+=:,./-]+$/.test(flag) ? flag : `'${flag.replaceAll("'", "'\\''")}'`;
}
