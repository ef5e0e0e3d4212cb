/**
 * For tests: writes adapter files that vary the file of the plain JavaScript server (examples/plain-js.yaml).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { example } from './cli.ts';

/** The parts of the adapter file that tests change. */
export type PlainFile = {
  server: {
    url: string;
    start?: { command: string[]; cwd?: string; env: Record<string, string>; keeps?: string; ready?: object };
  };
  ports: Record<string, number>;
  otp: Record<string, unknown>;
  steps: Record<string, unknown>;
  ehr: Record<string, unknown>;
};

/** Writes the example's adapter file, changed by `change`, into `directory` as JSON. Returns its path. */
export function writePlainFile(directory: string, change: (file: PlainFile) => void): string {
  const content = parse(readFileSync(example('plain-js.yaml'), 'utf8')) as PlainFile;
  // The example's command is relative to the folder of the examples, and the new file is not there.
  if (content.server.start) content.server.start.cwd = example('');
  change(content);
  const file = join(directory, 'adapter.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/**
 * Changes an adapter file: its server writes the number of its process to `pidFile` when it starts, and
 * touches `pidFile.answered` with each answer.
 */
export function writingPid({ server: { start } }: PlainFile, pidFile: string): void {
  const program = new URL(`file://${example('plain-js/server.mjs')}`).href;
  const write = (file: string, text: string) => `writeFileSync(${JSON.stringify(file)}, ${text})`;
  const code = `const { writeFileSync } = require('node:fs'); ${write(pidFile, 'String(process.pid)')};
require('node:diagnostics_channel').subscribe('http.server.response.finish', () => ${write(`${pidFile}.answered`, "''")});
import(${JSON.stringify(program)});`;
  if (start) start.command = [process.execPath, '-e', code];
}

/** Changes an adapter file: codes live so long that their end is waited for after everything else. */
export function withLongCodes({ otp, server: { start } }: PlainFile): void {
  otp.lifetimeSeconds = CODE_SECONDS;
  Object.assign(start?.env ?? {}, { PIN_LIFETIME_SECONDS: String(CODE_SECONDS) });
}

/** Longer than a sign-in and a link take on a slow machine, and short enough for the kit to wait. */
const CODE_SECONDS = 60;
