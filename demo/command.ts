import { programName } from '#service/process/command-line/program-name.ts';

/** The command with the typed flags, then further ones, which take precedence. Quoted for a shell. */
export function commandAgain(typed: readonly string[], ...flags: readonly string[]): string {
  return [programName('demo'), ...[...typed, ...flags].map(quoted)].join(' ');
}

export function quoted(flag: string): string {
  return /^[\w@%+=:,./-]+$/.test(flag) ? flag : `'${flag.replaceAll("'", "'\\''")}'`;
}
