/** A long life on a fast clock: sessions are stored, run out and are purged, and what they leave behind must not grow. */
import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { type EhrConfig, readEhrConfig } from '#ehr-server/config.ts';
import { createHandler } from '#ehr-server/handle.ts';
import { inMemoryMis } from '#ehr-server/mis/in-memory.ts';
import { LIMITS } from '#ehr-server/store/checkpointer.ts';
import { openDatabase } from '#ehr-server/store/open-database.ts';
import { sqliteStore } from '#ehr-server/store/sqlite.ts';
import { allPersonaPatients, personas, propertiesOf } from '#mis-fixtures/personas.ts';
import { manualClock } from '#protocol/clock.ts';
import { digest } from '#protocol/digest.ts';
import type { EhrMethod } from '#protocol/ehr-methods.ts';
import type { Pipeline } from '#protocol/pipeline.ts';
import { randomToken, seededRandom } from '#protocol/random.ts';
import { createLog } from '#service/log.ts';
import { startPurge } from '#service/purge.ts';

export type SoakPlan = {
  /** Sessions to store in all. */
  sessions: number;
  /** Over how much time on the server's clock, in days; they are spread evenly. */
  days: number;
  seed: number;
  /** The SQLite file to work in; it must not exist. */
  file: string;
};

/**
 * What the server holds at one moment: rows of sessions, exchange tokens and the audit; bytes of the database, with what
 * is in its log alone, and of the log itself.
 */
export type Measure = {
  day: number;
  sessions: number;
  rows: number;
  fileBytes: number;
  logBytes: number;
  memoryBytes: number;
};

export type SoakResult = {
  measures: Measure[];
  /** When everything has run out and was purged. */
  end: Measure;
  /** What grew that must not, one sentence each. */
  problems: string[];
};

const DAY = 86_400_000;
/** How far the clock moves at a time: half an hour, and then a purge. */
const STEP = DAY / 48;
/** Calls under way at a time. */
const CONCURRENCY = 400;
const SETTINGS = { EHR_INTERNAL_USER: 'soak', EHR_INTERNAL_PASSWORD: 'soak', EHR_DATABASE: ':memory:' };
/** How long a session lives, in minutes; the retention is a day. */
const TTL = 60;

/** Rows and pages are in balance after the lifetime and the retention; from then on nothing may grow. */
const SETTLED_AFTER = 2;
/** What the file may grow by once it is settled, of its size then: pages that are split differently. */
const FILE_TOLERANCE = 0.1;
/** What the log may grow to, in bytes, where the thread that empties it is slow: SQLite itself sees to it then. A page has a head there. */
const LONGEST_LOG = LIMITS.maxPages * (4_096 + 24);
/** What the memory may grow by once it is settled, in bytes: caches that are not full yet. */
const MEMORY_TOLERANCE = 128 * 2 ** 20;

/**
 * Runs the plan.
 * @param onMeasure hears of each measure: once a day of the server's clock
 * @param signal stops the run between two steps of the server's clock
 */
export async function soak(
  plan: SoakPlan,
  onMeasure: (measure: Measure) => void = () => undefined,
  signal?: AbortSignal,
): Promise<SoakResult> {
  const config = readEhrConfig([], { ...SETTINGS, EHR_RETENTION_DAYS: '1', EHR_AUDIT_RETENTION_DAYS: '1' });
  if (!config) throw new Error('No settings were read.');
  const clock = manualClock();
  const random = seededRandom(plan.seed);
  const database = openDatabase(plan.file);
  const store = sqliteStore(database);
  const mis = inMemoryMis(allPersonaPatients);
  const log = createLog('soak', 'error');
  const failures: unknown[] = [];
  const pipeline = createHandler({ store, mis, clock, random, config }, ({ reason, cause }) => {
    if (reason) failures.push(cause ?? reason);
  });
  const purges = [store.purge, store.purgeAudit].map((batch) => ({ retentionMs: DAY, batch }));
  let rounds = 0;
  const stopPurge = startPurge({ purges, clock, log, onPurge: () => void rounds++ });
  const steps = (plan.days * DAY) / STEP;
  const measure = (day: number, sessions: number): Measure => ({
    day,
    sessions,
    rows: ['sessions', 'exchange_tokens', 'audit'].reduce(
      (sum, table) => sum + (database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number),
      0,
    ),
    fileBytes: bytesOf(database),
    logBytes: statSync(`${plan.file}-wal`).size,
    memoryBytes: process.memoryUsage.rss(),
  });
  const pass = async (ms: number) => {
    const before = rounds;
    clock.advance(ms);
    // The purge that this wakes ends before anything else begins.
    while (rounds === before) await new Promise(setImmediate);
    await new Promise(setImmediate);
  };
  try {
    const sign = await linkOne(pipeline, config);
    const measures: Measure[] = [];
    let stored = 0;
    for (let step = 1; step <= steps && !signal?.aborted; step++) {
      const due = Math.round((plan.sessions * step) / steps);
      while (stored < due) {
        const calls: Promise<unknown>[] = [];
        for (; stored < due && calls.length < CONCURRENCY; stored++) {
          calls.push(...lifeOf(pipeline, config, randomToken(random), sign, stored));
        }
        await Promise.all(calls);
      }
      if (failures.length > 0) throw new Error(`A call was refused: ${String(failures[0])}`, { cause: failures[0] });
      await pass(STEP);
      if ((step * STEP) % DAY === 0) {
        measures.push(measure((step * STEP) / DAY, stored));
        onMeasure(measures.at(-1) as Measure);
      }
    }
    // Twice: the purge that the first wakes begins while the clock is still on its way.
    for (const ms of [3 * DAY, STEP]) await pass(ms);
    const end = measure(plan.days, stored);
    return { measures, end, problems: problemsOf(measures, end) };
  } finally {
    await stopPurge();
    await store.close();
    mis.close();
  }
}

/** Of all pages, wherever they are stored. */
function bytesOf(database: Database): number {
  const [pages, size] = ['page_count', 'page_size'].map((name) => database.pragma(name, { simple: true }) as number);
  return (pages as number) * (size as number);
}

/** Links the one user whose sessions come and go; returns the signature. */
async function linkOne(pipeline: Pipeline, config: EhrConfig): Promise<string> {
  const exchangeToken = 'the first';
  const authInfo = { user: 'u-soak', token: 'the first session', ttl: TTL };
  const cred = { user: config.internalUser, token: digest(config.internalPassword, exchangeToken) };
  await call(pipeline, 'embedded_storage.save_exchange_token', { exchangeToken, authInfo }, cred);
  const patientProperties = propertiesOf(personas.anna);
  const reply = await call(pipeline, 'embedded_storage.authenticate', { exchangeToken, patientProperties });
  return (JSON.parse(reply ?? '') as { result: { user_sign: string } }).result.user_sign;
}

/** The calls of one session: every session is saved, one in eight leaves an exchange token that nobody uses. */
function lifeOf(pipeline: Pipeline, config: EhrConfig, token: string, sign: string, index: number): Promise<unknown>[] {
  const authInfo = { user: 'u-soak', token, ttl: TTL };
  const credOf = (secret: string) => ({ user: config.internalUser, token: digest(config.internalPassword, secret) });
  const calls: Promise<unknown>[] = [call(pipeline, 'embedded_storage.save_auth_info', { authInfo }, credOf(sign))];
  if (index % 8 === 0) {
    const exchangeToken = `x-${token}`;
    const params = { exchangeToken, authInfo: { ...authInfo, token: `later-${token}` } };
    calls.push(call(pipeline, 'embedded_storage.save_exchange_token', params, credOf(exchangeToken)));
  }
  return calls;
}

async function call(
  pipeline: Pipeline,
  method: EhrMethod,
  params: unknown,
  cred?: unknown,
): Promise<string | undefined> {
  return (await pipeline(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, cred }), 'any')).body;
}

/** What grew after the rows had come into balance, and what was left at the end. */
export function problemsOf(measures: readonly Measure[], end: Measure): string[] {
  const settled = measures.find(({ day }) => day >= SETTLED_AFTER);
  const last = measures.at(-1);
  if (!settled || !last || settled === last) return ['The run is too short to tell: it needs more than two days.'];
  const problems: string[] = [];
  const later = measures.slice(measures.indexOf(settled) + 1);
  const largest = (member: 'rows' | 'fileBytes' | 'memoryBytes') =>
    Math.max(...later.map((measure) => measure[member]));
  if (largest('rows') > settled.rows * (1 + FILE_TOLERANCE)) {
    problems.push(`Rows grew from ${settled.rows} on day ${settled.day} to ${largest('rows')}.`);
  }
  if (largest('fileBytes') > settled.fileBytes * (1 + FILE_TOLERANCE)) {
    problems.push(`The file grew from ${settled.fileBytes} bytes on day ${settled.day} to ${largest('fileBytes')}.`);
  }
  const longest = Math.max(...[...measures, end].map(({ logBytes }) => logBytes));
  if (longest > LONGEST_LOG) problems.push(`The log grew to ${longest} bytes; ${LONGEST_LOG} is its limit.`);
  if (largest('memoryBytes') > settled.memoryBytes + MEMORY_TOLERANCE) {
    problems.push(
      `The memory grew from ${settled.memoryBytes} bytes on day ${settled.day} to ${largest('memoryBytes')}.`,
    );
  }
  if (end.rows > 0) problems.push(`${end.rows} rows are left although everything has run out.`);
  return problems;
}
