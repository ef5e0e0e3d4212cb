/**
 * Reading the audit beside a running server, a stretch of ids at a time: neither the memory nor the wait
 * grows with the record.
 */
import type { Database } from 'better-sqlite3';
import type { MaybePromise } from '#protocol/maybe-promise.ts';
import { openSqlite } from '#service/sqlite.ts';
import { isPostgres, withoutSecrets } from '../database-address.ts';
import type { AuditAction, AuditQuery, AuditRecord } from '../store/audit.ts';
import { openStore } from '../store/open-store.ts';
import { SCHEMA_VERSION } from '../store/schema.ts';
import { sqliteAudit } from '../store/sqlite-audit.ts';
import { CommandError, factOf } from './command-error.ts';
import { requireFile, sqliteFileOf } from './which-database.ts';

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
  /** What the database is not asked for. */
  fits: (entry: AuditRecord) => boolean;
};

/** How many ids are looked at in one query. */
const MAX_IDS_PER_READ = 5_000;

/**
 * Opens the audit for reading; a SQLite file is opened read-only and never changed.
 * @throws CommandError naming the database and what to do
 */
export async function openAudit(database: string): Promise<AuditReader> {
  if (isPostgres(database)) {
    const store = await openStore({ database, audit: false }).catch((cause: unknown) => {
      throw new CommandError(`Failed to read the audit of ${withoutSecrets(database)}: ${factOf(cause)}`, { cause });
    });
    return { read: store.readAudit, range: () => rangeOf(store.readAudit), close: () => store.close() };
  }
  const file = sqliteFileOf(database, '');
  requireFile(file);
  const db = openReadOnly(file);
  const { read } = sqliteAudit(db, false);
  return { read, range: () => rangeOf(read), close: async () => void db.close() };
}

/** All entries of `range` that fit, oldest first, a stretch at a time. */
export async function* allEntries(reader: AuditReader, filter: AuditFilter, range: AuditRange) {
  for (let after = range.first - 1; after < range.last; after += MAX_IDS_PER_READ) {
    yield await stretch(reader, filter, after, Math.min(after + MAX_IDS_PER_READ, range.last));
  }
}

/** The newest `limit` entries of `range` that fit, oldest first. */
export async function* newestEntries(reader: AuditReader, filter: AuditFilter, range: AuditRange, limit: number) {
  const found: AuditRecord[][] = [];
  let count = 0;
  for (let upTo = range.last; upTo >= range.first && upTo > 0 && count < limit; upTo -= MAX_IDS_PER_READ) {
    const entries = await stretch(reader, filter, upTo - MAX_IDS_PER_READ, upTo);
    found.push(entries.slice(-(limit - count)));
    count += Math.min(entries.length, limit - count);
  }
  yield* found.reverse();
}

/**
 * What has come after the entry `after`, whatever it is: the work grows with what is new, not with what fits.
 */
export async function* entriesAfter({ read }: AuditReader, after: number) {
  for (let last = after, isMore = true; isMore; ) {
    const entries = await read({ after: last, limit: MAX_IDS_PER_READ });
    yield entries;
    last = entries.at(-1)?.id ?? last;
    isMore = entries.length === MAX_IDS_PER_READ;
  }
}

/** Whether an entry is one of those that `filter` asks for. */
export function accepts({ user, patient, action, since, until, fits }: AuditFilter, entry: AuditRecord): boolean {
  return (
    (user === undefined || entry.user === user) &&
    (patient === undefined || entry.patientId === patient) &&
    (action === undefined || entry.action === action) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until) &&
    fits(entry)
  );
}

/** Entries with ids above `after`, up to `upTo`; other work, such as a signal, comes first. */
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

/** Entries are read in one direction alone, so the newest is searched for by halves. */
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
