/** Runs the command of flows in this process, and looks at what it writes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { shownIn, wholePage } from '#conformance/engine/report/testing/pages.ts';
import { callOf } from '#conformance/engine/report/words.ts';
import { personas } from '#mis-fixtures/personas.ts';
import { INTERNAL_PASSWORD } from '#testing/fixtures.ts';
import { withOutput } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { playOwn } from '../command/own.ts';

/** Returns what the command wrote. Its reports are in a directory of their own. */
export async function outputOf(play: (page: string) => Promise<number>) {
  const directory = temporaryFolder();
  const file = join(directory, 'flows.html');
  const { result: status, out: stdout, err: stderr } = await withOutput(() => play(file));
  return {
    status,
    stdout,
    stderr,
    report: (name: string) => readFileSync(join(directory, name), 'utf8'),
    page: () => readFileSync(file, 'utf8'),
    files: () => readdirSync(directory),
  };
}

/** Plays the flows over HTTP with our own parties. */
export const runOwnParties = (pathParts: string[], grep?: string) =>
  outputOf((page) => playOwn({ pathParts, grep, page, only: 'flows', headed: false, keepMessages: false }));

/** Expects a page on the first link alone: its calls in order, and no secrets. */
export function expectFirstLink(page: string): void {
  const shown = shownIn(page);
  const [flow] = 'flows' in shown ? shown.flows.flows : [];
  expect(flow?.title).toContain(
    'first link: sign in, be refused, exchange token, authenticate, record the session',
  );
  const calls = flow?.entries.flatMap((entry) =>
    entry.kind === 'exchange' ? [callOf(entry).split('.').at(-1)] : [],
  );
  // A party of another make has calls of its own form besides.
  expect(calls?.filter((call) => /^\w+$/.test(call ?? ''))).toEqual([
    ...['request_otp', 'confirm_otp', 'get_patient', 'exchange_token', 'save_exchange_token', 'authenticate'],
    ...['report_link', 'save_auth_info', 'get_patient'],
  ]);
  const text = wholePage(page).replace(/sha256-[\w+/]+=/g, '');
  const [patient] = personas.anna.patients;
  const { surname, birthdate, medcardNumber } = patient;
  for (const secret of [INTERNAL_PASSWORD, '79991112233', surname, birthdate, medcardNumber])
    expect(text).not.toContain(secret);
  expect(text).toContain('‹session-token 1›');
  expect(text).toContain('‹patient data›');
  // Finds what looks like a token, a code or a digest.
  expect(text).not.toMatch(/[A-Za-z0-9_-]{40,}/);
  expect(text).toContain('‹code 1›');
}
