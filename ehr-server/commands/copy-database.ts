/** Copies a database while others write to it: one snapshot of all pages, then a check of the copy. */
import { spawn } from 'node:child_process';
import type { Database } from 'better-sqlite3';
import { sqliteModule } from '#service/sqlite.ts';
import { CommandError, factOf, Interrupted } from './command-error.ts';
import { COUNTED } from './contents.ts';
import { createPartial, removeDatabase } from './files.ts';
import type { CommandParts } from './output.ts';
import { showProgress } from './progress.ts';

/** The number of rows in each table of the copy, by the names that people use. */
export type CopiedCounts = Partial<Record<keyof typeof COUNTED, number>>;

/** Pages copied in one tick of the event loop: a few milliseconds of work. */
const PAGES_PER_TICK = 1_000;

/**
 * Copy `source` to a new file beside `file`, check the copy, and let `publish` give it its name. No partial
 * file is left behind after an error or an interruption.
 * @returns the rows of the copy
 * @throws CommandError when it cannot be written or is damaged; Interrupted
 */
export async function copyDatabase(
  source: Database,
  file: string,
  parts: CommandParts,
  publish: (partial: string) => void,
): Promise<CopiedCounts> {
  const partial = createPartial(file);
  try {
    await copySnapshot(source, partial, parts);
    const counts = await checkCopy(source.name, partial, parts);
    stopIfInterrupted(parts.signal);
    publish(partial);
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
  const shown = showProgress('Copying', err, clock);
  source.exec('BEGIN');
  try {
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await source.backup(partial, {
      progress({ totalPages, remainingPages }) {
        stopIfInterrupted(signal);
        shown.note(`${Math.floor((100 * (totalPages - remainingPages)) / Math.max(1, totalPages))} %`);
        return PAGES_PER_TICK;
      },
    });
  } finally {
    source.exec('COMMIT');
    shown.stop();
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
  const shown = showProgress('Checking the copy', err, clock);
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
    shown.stop();
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
