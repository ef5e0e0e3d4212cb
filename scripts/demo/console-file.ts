/** The file that tells other programs of this user, such as `npm run fault`, where the consoles are. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Addresses with their tokens: of the console, or of each world by its name. */
export type ConsoleFile = { readonly address: string } | { readonly worlds: Readonly<Record<string, string>> };

/** Only this user can read the file. */
export function writeConsoleFile(file: string, content: ConsoleFile): void {
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' });
}

/**
 * Reads the address of a console.
 * @param world its name; undefined for a demo without worlds
 * @throws Error that says what to do, when there is none
 */
export function consoleAddressIn(file: string, directory: string, world: string | undefined): string {
  if (!existsSync(file))
    throw new Error(
      `No demo with a console uses ${directory}. Please start one with npm run demo, or name its --data.`,
    );
  const content = JSON.parse(readFileSync(file, 'utf8')) as ConsoleFile;
  if ('address' in content) {
    if (world === undefined) return content.address;
    throw new Error('This demo has no worlds. Please leave out --world.');
  }
  const address = world === undefined ? undefined : content.worlds[world];
  if (address !== undefined) return address;
  throw new Error(worldsToName(content.worlds));
}

/** Returns what to say to somebody who named no world, where a demo with worlds runs. */
export function worldsNeeded(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const content = JSON.parse(readFileSync(file, 'utf8')) as ConsoleFile;
  return 'worlds' in content ? worldsToName(content.worlds) : undefined;
}

function worldsToName(worlds: Readonly<Record<string, string>>): string {
  return `Please name one of the worlds of this demo with --world: ${Object.keys(worlds).join(', ')}.`;
}
