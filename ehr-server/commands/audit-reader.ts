/**
 * Reads the audit beside a running server, a range of ids at a time, so that neither memory nor waiting time
 * grows with the record.
 */
import type { Database } from 'better-sqlite3';
import type { MaybePromise } from '#protocol/methods/maybe-promise.ts';
import { openSqlite } from '#service/sqlite.ts';
import { isPostgres, withoutSecrets } from '../database/address.ts';
import type { AuditAction, AuditQuery, AuditRecord } from '../store/audit.ts';
import { openStore } from '../store/open-store.ts';
import { sqliteAudit } from '../store/sqlite/audit.ts';
import { SCHEMA_VERSION } from '../store/sqlite/schema.ts';
import { CommandError, factOf } from './command-error.ts';
import { requireDatabase, sqliteFileOf } from './which-database.ts';

type Read = (query: AuditQuery) => MaybePromise<AuditRecord[]>;

/** The ids of the oldest and the newest entry; both 0 when there is none. */
export type AuditRange = { first: number; last: number };

export type AuditReader = { read: Read; range(): Promise<AuditRange>; close(): Promise<void> };

export type AuditFilter = {
  user?: string;
  patient?: string;
  action?: AuditAction;
  since?: number;
  until?: number;
  /** The conditions that are not part of the query. */
  fits: (entry: AuditRecord) => boolean;
};

/** The most ids that one query looks at. */
const MAX_IDS_PER_READ = 5_000;

/**
 * Open the audit for reading. A SQLite file is opened read-only and never changed.
 * @throws CommandError naming the database and what to do
 */
export async function openAudit(database: string): Promise<AuditReader> {
  if (isPostgres(database)) {
    const store = await openStore({ database, audit: false }).catch((cause: unknown) => {
      throw new CommandError(`Failed to read the audit of ${withoutSecrets(database)}: ${factOf(cause)}`, {
        cause,
      });
    });
    return { read: store.readAudit, range: () => rangeOf(store.readAudit), close: () => store.close() };
  }
  const file = sqliteFileOf(database, '');
  requireDatabase(file);
  const db = openReadOnly(file);
  const { read } = sqliteAudit(db, false);
  return { read, range: () => rangeOf(read), close: async () => void db.close() };
}

/** Yield all entries of `range` that fit, oldest first, in chunks. */
export async function* allEntries(reader: AuditReader, filter: AuditFilter, range: AuditRange) {
  for (let after = range.first - 1; after < range.last; after += MAX_IDS_PER_READ) {
    yield await stretch(reader, filter, after, Math.min(after + MAX_IDS_PER_READ, range.last));
  }
}

/** Yield the newest `limit` entries of `range` that fit, oldest first, in chunks. */
export async function* newestEntries(
  reader: AuditReader,
  filter: AuditFilter,
  range: AuditRange,
  limit: number,
) {
  const found: AuditRecord[][] = [];
  let count = 0;
  for (let upTo = range.last; upTo >= range.first && upTo > 0 && count < limit; upTo -= MAX_IDS_PER_READ) {
    const entries = await stretch(reader, filter, upTo - MAX_IDS_PER_READ, upTo);
    found.push(entries.slice(-(limit - count)));
    count += Math.min(entries.length, limit - count);
  }
  yield* found.reverse();
}

/** Yield all entries after the id `after`, unfiltered, so that the work grows with the new entries alone. */
export async function* entriesAfter({ read }: AuditReader, after: number) {
  for (let last = after, isMore = true; isMore; ) {
    const entries = await read({ after: last, limit: MAX_IDS_PER_READ });
    yield entries;
    last = entries.at(-1)?.id ?? last;
    isMore = entries.length === MAX_IDS_PER_READ;
  }
}

/** Whether an entry fits `filter`. */
export function accepts(
  { user, patient, action, since, until, fits }: AuditFilter,
  entry: AuditRecord,
): boolean {
  return (
    (user === undefined || entry.user === user) &&
    (patient === undefined || entry.patientId === patient) &&
    (action === undefined || entry.action === action) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until) &&
    fits(entry)
  );
}

/** Read the entries with ids above `after`, up to `upTo`, after other work such as a signal. */
async function stretch({ read }: AuditReader, filter: AuditFilter, after: number, upTo: number) {
  await new Promise(setImmediate);
  const entries = await read({
    ...queryOf(filter),
    after: Math.max(0, after),
    before: upTo + 1,
    limit: MAX_IDS_PER_READ,
  });
  return entries.filter(filter.fits);
}

function queryOf({ user, patient, action, since, until }: AuditFilter) {
  return { user, patientId: patient, action, since, until };
}

/** Find the newest entry by binary search, because entries can be read in one direction only. */
async function rangeOf(read: Read): Promise<AuditRange> {
  const [oldest] = await read({ after: 0, limit: 1 });
  if (!oldest) return { first: 0, last: 0 };
  const hasAfter = async (id: number) => (await read({ after: id, limit: 1 })).length > 0;
  let below = oldest.id - 1;
  let beyond = oldest.id;
  for (let step = 1; await hasAfter(beyond); step *= 2) {
    below = beyond;
    beyond += step;
  }
  while (beyond - below > 1) {
    const middle = Math.floor((below + beyond) / 2);
    if (await hasAfter(middle)) below = middle;
    else beyond = middle;
  }
  return { first: oldest.id, last: beyond };
}

function openReadOnly(file: string): Database {
  let db: Database | undefined;
  try {
    db = openSqlite(file, { readonly: true, fileMustExist: true });
    const version = db.pragma('user_version', { simple: true }) as number;
    const hasAudit = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit'").get() !== undefined;
    if (hasAudit && version <= SCHEMA_VERSION) return db;
    throw new Error(
      hasAudit
        ? `it was written by a newer version of this program (schema ${version}, known is ${SCHEMA_VERSION}), so please update`
        : 'it holds no audit. A server that runs on this file adds one',
    );
  } catch (cause) {
    db?.close();
    throw new CommandError(`Failed to read the audit of ${file}: ${factOf(cause)}.`, { cause });
  }
}
