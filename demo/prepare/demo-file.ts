/** The file that tells other programs of this user, such as `npm run fault`, where the demo that runs is. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Its name in the directory of the demo's data. It is there while the demo runs. */
export const CONSOLE_FILE = 'console.json';

export type ControlPorts = { readonly ehr: number; readonly auth: number };

/** The address of the console with its token, if there is one, and the control ports. */
export type DemoFile = { readonly address?: string | undefined; readonly control: ControlPorts };

/** Only this user can read the file. */
export function writeDemoFile(file: string, content: DemoFile): void {
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' });
}

export function readDemoFile(file: string): DemoFile | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoFile) : undefined;
}
