/** The file that tells other programs of this user, such as `npm run fault`, where the demo that runs is. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** The control ports of the two servers. */
export type ControlPorts = { readonly ehr: number; readonly auth: number };

/** Addresses of the consoles with their tokens: of the only one, if there is any, or of each world. */
export type DemoFile =
  | { readonly address?: string | undefined; readonly control: ControlPorts }
  | { readonly worlds: Readonly<Record<string, string>> };

/** Only this user can read the file. */
export function writeDemoFile(file: string, content: DemoFile): void {
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' });
}

/**
 * Reads the address of a console.
 * @param world its name; undefined for a demo without worlds
 * @throws Error that says what to do, when there is none
 */
export function consoleAddressIn(file: string, directory: string, world: string | undefined): string {
  const content = readDemoFile(file);
  if (!content) throw new Error(noDemoOn(directory));
  if ('worlds' in content) {
    const address = world === undefined ? undefined : content.worlds[world];
    if (address === undefined) throw new Error(worldsToName(content.worlds));
    return address;
  }
  if (world !== undefined) throw new Error('This demo has no worlds. Please leave out --world.');
  if (content.address === undefined) throw new Error('This demo has no console. Please start it without --no-console.');
  return content.address;
}

/**
 * Reads the control ports of the two servers. Undefined when no demo runs on this data.
 * @throws Error that asks for a world, where a demo with worlds runs
 */
export function controlPortsIn(file: string): ControlPorts | undefined {
  const content = readDemoFile(file);
  if (content && 'worlds' in content) throw new Error(worldsToName(content.worlds));
  return content?.control;
}

function readDemoFile(file: string): DemoFile | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoFile) : undefined;
}

function noDemoOn(directory: string): string {
  return `No demo runs on the data in ${directory}. Please start one with npm run demo, or name its --data.`;
}

function worldsToName(worlds: Readonly<Record<string, string>>): string {
  return `Please name one of the worlds of this demo with --world: ${Object.keys(worlds).join(', ')}.`;
}
