/** Findings as files: the smallest input that breaks something, its origin and what broke. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsError } from '#service/process/settings.ts';
import type { Input } from './input.ts';
import type { Party } from './party-process.ts';

export type Finding = {
  party: Party;
  /** `index` is the number of the input within this seed. */
  seed: number;
  index: number;
  /** What broke, one sentence each. */
  broke: string[];
  /** Whether this input breaks a freshly started party without any other input. */
  alone: boolean;
  input: Input;
};

/** Writes a finding and returns its file name. */
export function writeFinding(directory: string, finding: Finding): string {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${finding.party}-${finding.input.level}-${finding.seed}-${finding.index}.json`);
  writeFileSync(file, `${JSON.stringify(finding, undefined, 2)}\n`);
  return file;
}

/** @throws SettingsError naming the file, when it is missing or holds no finding */
export function readFinding(file: string): Finding {
  let finding: Finding | undefined;
  let cause: unknown;
  try {
    finding = JSON.parse(readFileSync(file, 'utf8')) as Finding;
  } catch (error) {
    cause = error;
  }
  if (finding?.input?.level !== undefined) return finding;
  const why =
    (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT' ? 'there is no such file' : 'it holds no finding';
  throw new SettingsError(`Failed to replay ${file}: ${why}. Please name a file that npm run fuzz has written.`, {
    cause,
  });
}
