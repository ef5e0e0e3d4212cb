/** How the demo is typed. */

/** The command with the flags that were typed, and others after them, which win; quoted for a shell. */
export function commandAgain(typed: readonly string[], ...flags: readonly string[]): string {
  return ['npm run demo --', ...[...typed, ...flags].map(quoted)].join(' ');
}

function quoted(flag: string): string {
  return /^[\w@%+=:,./-]+$/.test(flag) ? flag : `'${flag.replaceAll("'", "'\\''")}'`;
}
