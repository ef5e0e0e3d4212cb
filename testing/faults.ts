/**
 * The subjects of the faults: an EHR server in a process or here, with a linked user and what it acknowledged;
 * and disks that can be filled and emptied again without harm to other programs.
 */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, copyFileSync, existsSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import { testEnvironment } from './fixtures.ts';
import { anna } from './people.ts';
import { launchParty, populate } from './programs/processes.ts';
import { folderInMemory, temporaryFolder } from './temporary-folder.ts';
import { callerOf } from './wire.ts';
import { ehrCalls, linkedEhr } from './worlds/linked-ehr.ts';

type SubjectOptions = {
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

export async function linkedOnFile(level: 'info' | 'warn' = 'info') {
  const file = join(folderInMemory(), 'ehr.sqlite');
  const lines: string[] = [];
  const ehr = await linkedEhr({
    env: { EHR_DATABASE: file },
    mayFail: true,
    logTo: { level, write: (line) => lines.push(line) },
  });
  return {
    file,
    ehr,
    lines,
    save: async (token: string) =>
      (await ehr.saveAuthInfo({ ...ehr.authInfo, token }, ehr.userSign)).error?.data.reason ?? 'ok',
    read: async (token = ehr.cred.token) =>
      (await ehr.call('patient.get_patient', {}, { ...ehr.cred, token })).error?.data.reason ?? 'ok',
    page: async (path: string) => (await fetch(ehr.ehr.url + path)).status,
    told: (text: string) => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes(text)),
  };
}

export type SmallDisk = {
  folder: string;
  through: readonly string[];
  /** Fills the disk up, leaving space for little more than it holds. */
  fill(): void;
  makeRoom(pid: number): void;
  /** What the server's log says of the full disk. */
  complaint: string;
};

const KIB = 1024;

/** Limits the size of each file that the process writes, as a quota does. Works on every Linux. */
export function limitedFiles(): SmallDisk {
  return {
    folder: temporaryFolder(),
    // `ulimit -f` counts blocks of 512 bytes.
    through: ['sh', '-c', 'ulimit -S -f 1024; exec "$@"', 'sh'],
    fill: () => undefined,
    makeRoom: (pid) => void execFileSync('prlimit', [`--pid=${pid}`, '--fsize=unlimited']),
    complaint: 'the disk does not do what it is asked',
  };
}

/** Mounts a file system of 2 MB in memory. Returns undefined where this account may not mount one. */
export function smallFileSystem(): SmallDisk | undefined {
  const folder = temporaryFolder();
  if (
    process.platform !== 'linux' ||
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status !== 0
  )
    return undefined;
  // Runs before the folder is removed: vitest runs the callbacks in reverse order.
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    through: [],
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      appendFileSync(filler, Buffer.alloc(bavail * bsize - 256 * KIB));
    },
    makeRoom: () => rmSync(filler),
    complaint: 'the disk is full',
  };
}
