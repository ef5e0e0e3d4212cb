/**
 * Copies a database while others write to it: one snapshot of all pages, then a check of the copy. The copy
 * exists completely or not at all, and its owner alone can read it.
 */
import { spawn } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Clock } from '#protocol/time/clock.ts';
import { codeOf, giveNewName } from '#service/process/files/writing.ts';
import { isRunning } from '#service/process/signals.ts';
import { hasTable, sqliteModule } from '#service/sqlite.ts';
import { CommandError, type CommandParts, factOf, Interrupted, type Output } from './command.ts';

/** Which of the two kinds of tables a file has. */
export type Contents = { sessions: boolean; patients: boolean };

/** The tables whose rows are counted, by the names that people use. */
export const COUNTED = {
  sessions: 'sessions',
  'exchange tokens': 'exchange_tokens',
  links: 'links',
  'audit entries': 'audit',
  patients: 'patient',
} as const;

/** The number of rows in each table of the copy, by the names that people use. */
export type CopiedCounts = Partial<Record<keyof typeof COUNTED, number>>;

/** @throws CommandError for a file that holds neither */
export function contentsOf(db: Database): Contents {
  const has = (table: string) => hasTable(db, table);
  const contents = { sessions: has('sessions') && has('links'), patients: has('patient') && has('mis_meta') };
  if (contents.sessions || contents.patients) return contents;
  throw new CommandError(`${db.name} is no database of this server: it holds neither sessions nor patients.`);
}

/** Pages copied in one tick of the event loop: a few milliseconds of work. */
const PAGES_PER_TICK = 1_000;

/**
 * Copy `source` to a new file beside `file`, check the copy, and give it the name `file`. No partial file is
 * left behind after an error or an interruption.
 * @returns the rows of the copy
 * @throws CommandError when it cannot be written or is damaged, or a file of that name has appeared and
 *   `mayReplace` is false; Interrupted
 */
export async function copyDatabase(
  source: Database,
  file: string,
  mayReplace: boolean,
  parts: CommandParts,
): Promise<CopiedCounts> {
  const partial = createPartial(file);
  try {
    await copySnapshot(source, partial, parts);
    const counts = await checkCopy(source.name, partial, parts);
    stopIfInterrupted(parts.signal);
    publish(partial, file, mayReplace);
    return counts;
  } catch (error) {
    stopIfInterrupted(parts.signal);
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `Failed to copy ${source.name} to ${file}: ${factOf(error)}. Nothing was changed.`,
      { cause: error },
    );
  } finally {
    removeDatabase(partial);
  }
}

/** Copy inside one transaction. Without it, SQLite restarts the copy after every write of another process. */
async function copySnapshot(
  source: Database,
  partial: string,
  { err, clock, signal }: CommandParts,
): Promise<void> {
  const display = showProgress('Copying', err, clock);
  source.exec('BEGIN');
  try {
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await source.backup(partial, {
      progress({ totalPages, remainingPages }) {
        stopIfInterrupted(signal);
        display.note(`${Math.floor((100 * (totalPages - remainingPages)) / Math.max(1, totalPages))} %`);
        return PAGES_PER_TICK;
      },
    });
  } finally {
    source.exec('COMMIT');
    display.stop();
  }
}

/**
 * The program of the process that checks the copy. The check of a large file takes long and cannot be
 * interrupted, so in this process it would block Ctrl-C. It is a text, so that it runs the same from the
 * sources and from a bundle.
 */
const CHECK = `
  const [module, file, tables] = process.argv.slice(1);
  const db = new (require(module))(file, { fileMustExist: true });
  // The copy is one file, without a log beside it.
  db.pragma('journal_mode = DELETE');
  const problems = db.pragma('integrity_check(3)').map((row) => row.integrity_check).filter((text) => text !== 'ok');
  const there = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  const counts = {};
  for (const [what, table] of Object.entries(JSON.parse(tables)))
    if (there.includes(table)) counts[what] = db.prepare('SELECT count(*) FROM ' + table).pluck().get();
  db.close();
  process.stdout.write(JSON.stringify({ problems, counts }));
`;

async function checkCopy(
  origin: string,
  partial: string,
  { err, clock, signal }: CommandParts,
): Promise<CopiedCounts> {
  const display = showProgress('Checking the copy', err, clock);
  const child = spawn(process.execPath, ['-e', CHECK, sqliteModule(), partial, JSON.stringify(COUNTED)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  try {
    stopIfInterrupted(signal);
    const { answer, complaints } = await endOf(child);
    stopIfInterrupted(signal);
    if (answer === '') throw new CommandError(damaged(origin, complaints));
    const { problems, counts } = JSON.parse(answer) as { problems: string[]; counts: CopiedCounts };
    if (problems.length > 0) throw new CommandError(damaged(origin, problems.join('; ')));
    return counts;
  } finally {
    kill();
    signal.removeEventListener('abort', kill);
    display.stop();
  }
}

function endOf(child: ReturnType<typeof spawn>): Promise<{ answer: string; complaints: string }> {
  const end = { answer: '', complaints: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    end.answer += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    end.complaints += text;
  });
  return new Promise((resolve, reject) => child.on('error', reject).on('close', () => resolve(end)));
}

function damaged(origin: string, facts: string): string {
  const fact = /SqliteError: .*/.exec(facts)?.[0] ?? facts.trim().split('\n').slice(0, 3).join(' ');
  return `The copy of ${origin} did not pass its check: ${fact}. Nothing was changed. Where this comes again, ${origin} itself is damaged.`;
}

function stopIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new Interrupted('Interrupted; nothing was changed, and no half file is left.');
}

/**
 * Create an empty file beside `file`, with a name of this process, readable by its owner alone. Remove the
 * partial files that killed processes have left there.
 * @returns its name
 * @throws CommandError when the directory cannot be written to
 */
function createPartial(file: string): string {
  const partial = `${file}.partial-${process.pid}`;
  try {
    for (const leftover of leftoversOf(file)) removeDatabase(leftover);
    closeSync(openSync(partial, 'wx', 0o600));
    return partial;
  } catch (cause) {
    throw new CommandError(
      `Failed to write beside ${file}: ${factOf(cause)}. Please check that its directory exists and can be written to.`,
      { cause },
    );
  }
}

/** Remove a database and the files that SQLite keeps beside it. */
function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

/** Flush the contents of a file, or the names in a directory, to the disk. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some systems cannot flush directories.
    if (!['EPERM', 'EINVAL', 'EISDIR'].includes(codeOf(error) ?? '')) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Give a complete file its name, and flush both to the disk. */
function publish(partial: string, file: string, mayReplace: boolean): void {
  flush(partial);
  try {
    if (mayReplace) renameSync(partial, file);
    else giveNewName(partial, file);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
    throw new CommandError(`${file} was made by another program meanwhile.`, { cause });
  }
  flush(dirname(file));
}

/** Partial files of `file` whose process is gone. */
function leftoversOf(file: string): string[] {
  const directory = dirname(file);
  const prefix = `${basename(file)}.partial-`;
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .filter((name) => !isRunning(Number(name.slice(prefix.length))))
    .map((name) => join(directory, name));
}

/** A step shows nothing before this time. */
const QUIET_MS = 1_500;
const TERMINAL_INTERVAL_MS = 250;
/** Without a terminal every update is a new line, so there are few. */
const LINE_INTERVAL_MS = 10_000;

type ProgressDisplay = {
  /** Note how far the step is, such as `40 %`. */
  note(text: string): void;
  stop(): void;
};

/** Show a step under way, with its seconds, until it is stopped. */
function showProgress(title: string, out: Output, clock: Clock): ProgressDisplay {
  const begun = clock.now();
  let note = '';
  let shown = false;
  const show = () => {
    shown = true;
    const line = `${title} … ${note === '' ? '' : `${note}, `}${Math.round((clock.now() - begun) / 1_000)} s`;
    out.write(out.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
    cancel = clock.after(out.isTTY ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS, show);
  };
  let cancel = clock.after(QUIET_MS, show);
  return {
    note(text) {
      note = text;
    },
    stop() {
      cancel();
      if (shown && out.isTTY) out.write('\r\x1b[2K');
    },
  };
}
