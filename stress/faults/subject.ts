/** What the faults are done to: an EHR server as a process, with a user linked to Anna, its log, and a record of what it acknowledged. */
import type { ChildProcess } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { INTERNAL_PASSWORD, INTERNAL_USER, testEnvironment } from '#e2e/fixtures.ts';
import { anna } from '#e2e/people.ts';
import { killParty, launchParty, populate } from '#e2e/processes.ts';
import { callerOf, resultOf } from '#e2e/wire.ts';
import { hashToken } from '#ehr-server/context.ts';
import { openDatabase } from '#ehr-server/store/open-database.ts';
import { digest } from '#protocol/digest.ts';
import type { ehrMethods } from '#protocol/ehr-methods.ts';
import { RpcError } from '#protocol/errors.ts';

/** A directory that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export type SubjectOptions = {
  /** Where the database of the sessions is, which is made with a linked user in it. */
  folder: string;
  through?: readonly string[];
};

const USER = 'u-anna';

/** Starts the server; it is killed at the end of the test. */
export async function startSubject({ folder, through = [] }: SubjectOptions) {
  const file = join(folder, 'ehr.sqlite');
  // The patients lie where no fault reaches them.
  const patients = join(temporaryFolder(), 'patients.sqlite');
  populate(patients);
  // Whatever account the server runs as.
  chmodSync(dirname(patients), 0o777);
  chmodSync(patients, 0o666);
  const env = {
    ...testEnvironment,
    EHR_DATABASE: file,
    EHR_MIS_DATABASE: patients,
    EHR_LOG_LEVEL: 'info',
  };
  const { child, urls } = await launchParty('ehr-server/main.ts', env, { through });
  onTestFinished(() => killParty(child));
  const lines = linesOf(child);
  const url = urls[0] as string;
  const call = callerOf<typeof ehrMethods>(`${url}/1.0-alpha/`);
  const cred = (secret: string) => ({ user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, secret) });
  const first = { user: USER, token: 'token-of-the-link', ttl: 60 };
  resultOf(
    await call(
      'embedded_storage.save_exchange_token',
      { exchangeToken: 'exchange', authInfo: first },
      cred('exchange'),
    ),
  );
  const { userSign } = resultOf(
    await call('embedded_storage.authenticate', { exchangeToken: 'exchange', patientProperties: anna }),
  );
  const acknowledged: string[] = [first.token];
  let saves = 0;
  return {
    file,
    child,
    url,
    patients,
    call,
    acknowledged,
    /** Lines of the log from warnings up. */
    complaints: () => lines.filter(({ level }) => level >= 40),
    lines,
    userSign,
    /** Saves another session and remembers it when that was acknowledged; the reason of the refusal, or `ok`. */
    async save(): Promise<string> {
      const token = `saved-${++saves}`;
      const { error } = await call(
        'embedded_storage.save_auth_info',
        { authInfo: { user: USER, token, ttl: 60 } },
        cred(userSign),
      );
      if (!error) acknowledged.push(token);
      return error ? errorText(error) : 'ok';
    },
    async read(token = first.token): Promise<string> {
      const { error } = await call('patient.get_patient', {}, { user: USER, token });
      return error ? errorText(error) : 'ok';
    },
    page: async (path: string) => (await fetch(url + path)).status,
  };
}

/** Nothing but what every internal error says: neither file nor cause. */
export const INTERNAL_ERROR = JSON.stringify(new RpcError('internal_error').toObject());

const errorText = (error: object) => JSON.stringify(error);

type Line = { level: number; msg: string; err?: { message: string; errorCode?: string }; calls?: number };

function linesOf(child: ChildProcess): Line[] {
  const lines: Line[] = [];
  let rest = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part.startsWith('{')) lines.push(JSON.parse(part));
  });
  return lines;
}

/** Of these session tokens, those that a copy of the database holds, opened elsewhere as after a crash of the machine. */
export function storedIn(file: string, tokens: readonly string[]): string[] {
  const copy = join(temporaryFolder(), 'copy.sqlite');
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
  const db = openDatabase(copy);
  try {
    const find = db.prepare('SELECT 1 FROM sessions WHERE token_hash = ?');
    return tokens.filter((token) => find.get(hashToken(token)) !== undefined);
  } finally {
    db.close();
  }
}
