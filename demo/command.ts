/** Writes down the command that starts the demo again. */
import { programName } from '#service/process/command-line/program-name.ts';

/**
 * Returns the command with the typed flags, followed by further flags, which take precedence. Quoted for a
 * shell.
 */
export function commandAgain(typed: readonly string[], ...flags: readonly string[]): string {
  return [programName('demo'), ...[...typed, ...flags].map(quoted)].join(' ');
}

/** Returns a word of a command as a shell takes it. */
export function quoted(flag: string): string {
  return /^[\w@%+=:,./-]+$/.test(flag) ? flag : `'${flag.replaceAll("'", "'\\''")}'`;
}
