/** What was found, as files: the smallest input that does it, where it came from and what broke. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Input } from './input.ts';
import type { Party } from './party-process.ts';

export type Finding = {
  party: Party;
  /** Input `index` of this seed. */
  seed: number;
  index: number;
  /** What broke, one sentence each. */
  broke: string[];
  /** Whether the input does it alone, on a party that was just started. */
  alone: boolean;
  input: Input;
};

/** Writes a finding and returns the name of its file. */
export function writeFinding(directory: string, finding: Finding): string {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${finding.party}-${finding.input.level}-${finding.seed}-${finding.index}.json`);
  writeFileSync(file, `${JSON.stringify(finding, undefined, 2)}\n`);
  return file;
}

/** @throws Error naming the file, when it holds no finding */
export function readFinding(file: string): Finding {
  const finding = JSON.parse(readFileSync(file, 'utf8')) as Finding;
  if (finding?.input?.level === undefined) {
    throw new Error(`Failed to replay ${file}: it holds no finding. Please name a file that npm run fuzz has written.`);
  }
  return finding;
}
