/**
 * `npm run ehr -- audit`: lists the audit record, even while the server runs. It needs no password. It reads a
 * range of ids at a time, so that neither memory nor waiting time grows with the record.
 */

import type { Database } from 'better-sqlite3';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { MaybePromise } from '#protocol/methods/pipeline.ts';
import { type Clock, pause } from '#protocol/time/clock.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { hasTable } from '#service/sqlite.ts';
import { commandNames, ehrSettings } from '../config.ts';
import { isPostgres, withoutSecrets } from '../database/address.ts';
import {
  type AuditAction,
  type AuditQuery,
  type AuditRange,
  type AuditRecord,
  actorOf,
  isAskedFor,
} from '../store/audit.ts';
import { openStore } from '../store/open-store.ts';
import { sqliteAudit } from '../store/sqlite/audit.ts';
import { SCHEMA_VERSION } from '../store/sqlite/schema.ts';
import { CommandError, type CommandParts, factOf, Interrupted, write } from './command.ts';
import { openReadOnly, optionOf, settingOf, sqliteFileOf } from './which-database.ts';

type Flags = {
  database?: string;
  user?: string;
  patient?: string;
  action?: AuditAction;
  outcome?: string;
  since?: number;
  until?: number;
  limit?: number;
  json?: true;
  follow?: true;
};

/** The entries that are asked for: by the query, and by what is no part of one. */
type AuditFilter = {
  query: Omit<AuditQuery, 'after' | 'before' | 'limit'>;
  fits: (entry: AuditRecord) => boolean;
};

type AuditReader = {
  read(query: AuditQuery): MaybePromise<AuditRecord[]>;
  range(): MaybePromise<AuditRange>;
  close(): MaybePromise<void>;
};

/** How often `--follow` looks for new entries. */
const FOLLOW_INTERVAL_MS = 1_000;
/** The largest value of `--limit`. */
const MAX_ENTRIES = 100_000;

export function addAudit(program: Command, parts: CommandParts): void {
  program
    .command('audit')
    .description(`${commandNames.audit}, newest last; the server may run meanwhile`)
    .addOption(optionOf(ehrSettings.database))
    .option('--user <id>', 'only entries about this user')
    .option('--patient <id>', 'only entries about this patient')
    .option('--action <method>', `only this method: ${actions.map(shortName).join(', ')}`, toAction)
    .option('--outcome <outcome>', 'only this outcome: ok, refused, or the reason of a refusal', toOutcome)
    .option(
      '--since <time>',
      'only from this time on, such as 2026-01-31 or 2026-01-31T09:30Z; UTC without a zone',
      toTime,
    )
    .option('--until <time>', 'only before this time', toTime)
    .option('--limit <count>', 'only the newest so many', toLimit)
    .addOption(new Option('--follow', 'then wait for new entries until Ctrl-C'))
    .option('--json', 'a JSON object a line')
    .addHelpText('after', EPILOGUE)
    .action((flags: Flags) => audit(flags, parts));
}

async function audit(flags: Flags, { out, err, env, clock, signal }: CommandParts): Promise<void> {
  const reader = await openAudit(settingOf(ehrSettings.database, flags.database, env));
  try {
    const { user, patient: patientId, action, since, until } = flags;
    const query = { user, patientId, action, since, until };
    const filter: AuditFilter = { query, fits: fitsOutcome(flags.outcome) };
    const lineOf = flags.json ? auditJson : auditRow;
    let shown = 0;
    const show = async (entries: readonly AuditRecord[]) => {
      if (entries.length === 0) return;
      const heading = shown === 0 && !flags.json ? `${AUDIT_HEADING}\n` : '';
      shown += entries.length;
      await write(out, heading + entries.map((entry) => `${lineOf(entry)}\n`).join(''));
    };
    const range = await reader.range();
    const chunks = flags.limit === undefined ? allEntries : newestEntries;
    for await (const entries of chunks(reader, filter, range, flags.limit ?? 0)) {
      if (signal.aborted) throw new Interrupted('Interrupted; the list is not complete.');
      await show(entries);
    }
    // The sentence goes to standard error if a program reads the results.
    if (shown === 0) await write(flags.json || flags.follow ? err : out, `${noneOf(flags)}\n`);
    if (flags.follow) await follow(reader, filter, range.last, { clock, signal, show });
  } finally {
    await reader.close();
  }
}

type Following = {
  clock: Clock;
  signal: AbortSignal;
  show: (entries: readonly AuditRecord[]) => Promise<void>;
};

async function follow(
  reader: AuditReader,
  filter: AuditFilter,
  from: number,
  { clock, signal, show }: Following,
) {
  let last = from;
  while (!signal.aborted) {
    for await (const entries of entriesAfter(reader, last)) {
      last = entries.at(-1)?.id ?? last;
      await show(entries.filter((entry) => accepts(filter, entry)));
    }
    await pause(clock, FOLLOW_INTERVAL_MS, signal);
  }
}

function noneOf({ user, patient, action, outcome, since, until }: Flags): string {
  const isFiltered = [user, patient, action, outcome, since, until].some((value) => value !== undefined);
  return isFiltered ? 'No entry of the audit fits.' : 'The audit has no entries yet.';
}

function fitsOutcome(wanted: string | undefined): (entry: AuditRecord) => boolean {
  if (wanted === undefined) return () => true;
  return ({ outcome }) => (wanted === 'refused' ? outcome !== 'ok' : outcome === wanted);
}

const actions = Object.keys(ehrMethods).filter((name): name is AuditAction => name !== 'rpc.discover');

function shortName(action: string): string {
  return action.slice(action.indexOf('.') + 1);
}

function toAction(text: string): AuditAction {
  const action = actions.find((name) => name === text || shortName(name) === text);
  if (action) return action;
  throw new InvalidArgumentError(`It must be one of ${actions.map(shortName).join(', ')}.`);
}

function toOutcome(text: string): string {
  if (text === 'ok' || text === 'refused' || Object.hasOwn(errorTable, text)) return text;
  throw new InvalidArgumentError('It must be ok, refused, or a reason such as patient_not_matched.');
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

function toTime(text: string): number {
  const [, day = '', time = '00:00', zone = 'Z'] = TIME.exec(text) ?? [];
  const at = Date.parse(`${day}T${time}${zone}`);
  // Date.parse reads a day that does not exist, such as February 30, as a day of the next month.
  if (!Number.isNaN(at) && new Date(`${day}T00:00Z`).toISOString().startsWith(day)) return at;
  throw new InvalidArgumentError('It must be a day or a time such as 2026-01-31 or 2026-01-31T09:30:00Z.');
}

function toLimit(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= MAX_ENTRIES) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_ENTRIES}.`);
}

const EPILOGUE = `
Times are in UTC. Exit codes: 0 done, also when nothing fits and when --follow is ended; 1 the database cannot be read;
2 used wrongly; 130 interrupted in the middle of the list.
Examples:
  ${commandLine('ehr', 'audit --limit 20')}
  ${commandLine('ehr', 'audit --patient p-anna --action get_patient --since 2026-01-01 --json')}
  ${commandLine('ehr', 'audit --outcome refused --follow')}`;

/** The most ids that one query looks at. */
const MAX_IDS_PER_READ = 5_000;

/**
 * Open the audit for reading. A SQLite file is opened read-only and never changed.
 * @throws CommandError naming the database and what to do
 */
async function openAudit(database: string): Promise<AuditReader> {
  if (isPostgres(database)) {
    const store = await openStore({ database, audit: false }).catch((cause: unknown) => {
      throw new CommandError(`Failed to read the audit of ${withoutSecrets(database)}: ${factOf(cause)}`, {
        cause,
      });
    });
    return { read: store.readAudit, range: store.auditRange, close: store.close };
  }
  const db = openReadOnly(sqliteFileOf(database, ''), 'read the audit of', requireAudit);
  const { read, range } = sqliteAudit(db, false);
  return { read, range, close: () => void db.close() };
}

/** Yield all entries of `range` that fit, oldest first, in chunks. */
async function* allEntries(reader: AuditReader, filter: AuditFilter, range: AuditRange) {
  for (let after = range.first - 1; after < range.last; after += MAX_IDS_PER_READ) {
    yield await readBetween(reader, filter, after, Math.min(after + MAX_IDS_PER_READ, range.last));
  }
}

/** Yield the newest `limit` entries of `range` that fit, oldest first, in chunks. */
async function* newestEntries(reader: AuditReader, filter: AuditFilter, range: AuditRange, limit: number) {
  const found: AuditRecord[][] = [];
  let count = 0;
  for (let upTo = range.last; upTo >= range.first && upTo > 0 && count < limit; upTo -= MAX_IDS_PER_READ) {
    const entries = await readBetween(reader, filter, upTo - MAX_IDS_PER_READ, upTo);
    found.push(entries.slice(-(limit - count)));
    count += Math.min(entries.length, limit - count);
  }
  yield* found.reverse();
}

/** Yield all entries after the id `after`, unfiltered, so that the work grows with the new entries alone. */
async function* entriesAfter({ read }: AuditReader, after: number) {
  for (let last = after, isMore = true; isMore; ) {
    const entries = await read({ after: last, limit: MAX_IDS_PER_READ });
    yield entries;
    last = entries.at(-1)?.id ?? last;
    isMore = entries.length === MAX_IDS_PER_READ;
  }
}

/** Whether an entry fits `filter`. */
function accepts({ query, fits }: AuditFilter, entry: AuditRecord): boolean {
  return isAskedFor(entry, { ...query, after: 0, limit: 1 }) && fits(entry);
}

/** Read the entries with ids above `after`, up to `upTo`, after other work such as a signal. */
async function readBetween({ read }: AuditReader, filter: AuditFilter, after: number, upTo: number) {
  await new Promise(setImmediate);
  const entries = await read({
    ...filter.query,
    after: Math.max(0, after),
    before: upTo + 1,
    limit: MAX_IDS_PER_READ,
  });
  return entries.filter(filter.fits);
}

/** @throws Error when it has none, or one that this version cannot read */
function requireAudit(db: Database): void {
  if (!hasTable(db, 'audit')) throw new Error('it holds no audit. A server that runs on this file adds one');
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version <= SCHEMA_VERSION) return;
  throw new Error(
    `it was written by a newer version of this program (schema ${version}, known is ${SCHEMA_VERSION}), so please update`,
  );
}

// An entry is a line of a table for people, or of JSON for programs. Ids come from outside, so their characters
// must not control a terminal.

const WIDTHS = { at: 24, who: 40, what: 38, patient: 24 } as const;

/** Control and format characters move the cursor or change the text direction; a backslash escapes them. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\\]/gu;
const UNSAFE_IN_JSON = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

const AUDIT_HEADING = row('TIME (UTC)', 'WHO', 'WHAT', 'PATIENT', 'OUTCOME');

/** Format one line of the table. */
function auditRow({ at, action, user, patientId, outcome }: AuditRecord): string {
  const who = actorOf(action) === 'client' ? `client of ${user}` : `authorization server for ${user}`;
  return row(isoTime(at), escaped(who), action, patientId === null ? '-' : escaped(patientId), outcome);
}

/** Format one line of JSON. */
function auditJson({ id, at, action, user, patientId, outcome }: AuditRecord): string {
  const entry = { id, at: isoTime(at), actor: actorOf(action), action, user, patientId, outcome };
  return JSON.stringify(entry).replace(UNSAFE_IN_JSON, (text) =>
    // JSON escapes a character beyond 16 bits as a surrogate pair.
    [...Array(text.length).keys()].map((at) => `\\u${hex(text.charCodeAt(at))}`).join(''),
  );
}

function row(at: string, who: string, what: string, patient: string, outcome: string): string {
  return `${at.padEnd(WIDTHS.at)}  ${who.padEnd(WIDTHS.who)}  ${what.padEnd(WIDTHS.what)}  ${patient.padEnd(WIDTHS.patient)}  ${outcome}`;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

function escaped(text: string): string {
  return text.replace(UNSAFE, (found) =>
    found === '\\' ? '\\\\' : `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}
