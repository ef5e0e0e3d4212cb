/** Inputs as data, so that a saved input can be sent again; and findings, which are files with one. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from '#conformance/roles/ehr-server/world/model/state-model.ts';
import { SettingsError } from '#service/process/command-line/settings.ts';

export type FuzzedParty = 'ehr' | 'auth';

/** Bytes as a `latin1` string, one character a byte: readable where they are text. */
export type Bytes = string;

/**
 * Bytes for a socket, split into writes at `cuts`. After the last one the client waits until the server is
 * silent, closes its writing side at once, or breaks the connection.
 */
export type RawInput = { level: 'raw'; bytes: Bytes; cuts: number[]; ending: 'wait' | 'end' | 'cut' };

/** The body of one HTTP request. */
export type RpcInput = { level: 'rpc'; body: Bytes };

/** A step of the state model, or a body that the server must refuse in every state. */
export type FuzzStep = Step | { kind: 'broken'; body: Bytes };
export type SequenceInput = { level: 'sequence'; steps: FuzzStep[] };

export type Input = RawInput | RpcInput | SequenceInput;
export type Level = Input['level'];

export type FuzzFinding = {
  party: FuzzedParty;
  /** The seed of the run, and the round in which it was found. */
  seed: number;
  index: number;
  /** What broke, one sentence each. */
  broke: string[];
  /** Whether this input breaks a freshly started party without any other input. */
  alone: boolean;
  input: Input;
};

/** Encodes text as UTF-8. An unpaired surrogate is encoded like a character, which is not valid UTF-8. */
export function bytesOf(text: string): Bytes {
  return Buffer.from(text, 'utf8').toString('latin1');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a body as a server would. Invalid UTF-8 must be refused as parse_error, as an empty text is. */
export function textOf(bytes: Bytes): string {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return '';
  }
}

/** Writes a finding and returns its file name. */
export function writeFinding(directory: string, finding: FuzzFinding): string {
  mkdirSync(directory, { recursive: true });
  const { party, input, seed, index } = finding;
  const file = join(directory, `${party}-${input.level}-${seed}-${index}.json`);
  writeFileSync(file, `${JSON.stringify(finding, undefined, 2)}\n`);
  return file;
}

/** @throws SettingsError naming the file, when it is missing or holds no finding */
export function readFinding(file: string): FuzzFinding {
  let why = 'it holds no finding';
  try {
    const finding = JSON.parse(readFileSync(file, 'utf8')) as Partial<FuzzFinding>;
    if (finding.input?.level !== undefined) return finding as FuzzFinding;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') why = 'there is no such file';
  }
  throw new SettingsError(
    `Failed to replay ${file}: ${why}. Please name a file that npm run fuzz has written.`,
  );
}
