/** The subject of the faults: an EHR server process with a linked user, and what it acknowledged. */

import type { ChildProcess } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { testEnvironment } from '../fixtures.ts';
import { anna } from '../people.ts';
import { launchParty, populate } from '../programs/processes.ts';
import { folderInMemory } from '../temporary-folder.ts';
import { callerOf } from '../wire.ts';
import { ehrCalls } from '../worlds/ehr-calls.ts';

export type SubjectOptions = {
  /** The directory of the session database, which is created with a linked user in it. */
  folder: string;
  through?: readonly string[];
};

const USER = 'u-anna';

export async function startSubject({ folder, through = [] }: SubjectOptions) {
  const file = join(folder, 'ehr.sqlite');
  const patients = filePatients();
  const env = { ...testEnvironment, EHR_DATABASE: file, EHR_MIS_DATABASE: patients, EHR_LOG_LEVEL: 'info' };
  const { child, urls, stop } = await launchParty('ehr-server/main.ts', env, through);
  const lines = linesOf(child);
  const url = urls[0] as string;
  const calls = ehrCalls(callerOf(`${url}/1.0-alpha/`));
  const first = 'token-of-the-link';
  const { userSign } = await calls.link(USER, first, anna);
  const acknowledged: string[] = [first];
  let saves = 0;
  return {
    file,
    child,
    stop,
    url,
    patients,
    acknowledged,
    /** Log lines of level warning and above. */
    complaints: () => lines.filter(({ level }) => level >= 40),
    lines,
    /** Saves another session and records it once acknowledged. Returns `ok` or the reason of the refusal. */
    async save(): Promise<string> {
      const token = `saved-${++saves}`;
      const reply = await calls.saveAuthInfo({ user: USER, token, ttl: 60 }, userSign);
      if (!reply.error) acknowledged.push(token);
      return outcomeOf(reply);
    },
    read: async (token = first) => outcomeOf(await calls.read({ user: USER, token })),
    page: async (path: string) => (await fetch(url + path)).status,
  };
}

/** Stores the patients where no fault applies. The server may run under any account. */
function filePatients(): string {
  const patients = join(folderInMemory(), 'patients.sqlite');
  populate(patients);
  chmodSync(dirname(patients), 0o777);
  chmodSync(patients, 0o666);
  return patients;
}

/** The text of every internal error: it names neither the file nor the cause. */
export const INTERNAL_ERROR = JSON.stringify(new RpcError('internal_error').toObject());

const outcomeOf = ({ error }: { error?: object }) => (error ? JSON.stringify(error) : 'ok');

type LogLine = { level: number; msg: string; err?: { message: string; errorCode?: string }; calls?: number };

function linesOf(child: ChildProcess): LogLine[] {
  const lines: LogLine[] = [];
  let rest = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part.startsWith('{')) lines.push(JSON.parse(part));
  });
  return lines;
}

/** Returns those of the tokens that a copy of the database holds, as found after the machine crashed. */
export function storedIn(file: string, tokens: readonly string[]): string[] {
  const copy = join(folderInMemory(), 'copy.sqlite');
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
  const db = openDatabase(copy);
  try {
    const find = db.prepare('SELECT 1 FROM sessions WHERE token_hash = ?');
    return tokens.filter((token) => find.get(hashToken(token)) !== undefined);
  } finally {
    db.close();
  }
}
