/**
 * A long life on a fast clock: sessions are stored, expire and are purged. What they leave behind must not
 * grow.
 */
import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { type EhrConfig, readEhrConfig } from '#ehr-server/config.ts';
import { createHandler } from '#ehr-server/handle.ts';
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import { LIMITS } from '#ehr-server/store/sqlite/checkpointer.ts';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { sqliteStore } from '#ehr-server/store/sqlite/store.ts';
import { allPersonaPatients, personas, propertiesOf } from '#mis-fixtures/personas.ts';
import type { EhrMethod } from '#protocol/methods/ehr-methods.ts';
import { onText, type Pipeline } from '#protocol/methods/pipeline.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { randomToken, seededRandom } from '#protocol/time/random.ts';
import { digest } from '#protocol/wire/digest.ts';
import { createLog } from '#service/process/log.ts';
import { startPurge } from '#service/process/purge.ts';

export type SoakPlan = {
  /** Number of sessions to store. */
  sessions: number;
  /** The days on the server's clock over which the sessions are spread evenly. */
  days: number;
  seed: number;
  /** The SQLite file to work in; it must not exist. */
  file: string;
};

/**
 * The server's state at one moment: the rows of sessions, exchange tokens and audit; the size of the database
 * including its log; the size of the log.
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
  /** The state after everything has expired and was purged. */
  end: Measure;
  /** What grew against the rules, one sentence each. */
  problems: string[];
};

const DAY_MS = 86_400_000;
/** The clock moves half an hour at a time; a purge follows each step. */
const STEP_MS = DAY_MS / 48;
/** Maximum number of calls in progress at a time. */
const MAX_CONCURRENT_CALLS = 400;
const SETTINGS = { EHR_INTERNAL_USER: 'soak', EHR_INTERNAL_PASSWORD: 'soak', EHR_DATABASE: ':memory:' };
/** Lifetime of a session in minutes. The retention is a day. */
const TTL_MINUTES = 60;

/**
 * Day after which rows and pages may not grow: lifetime and retention have passed, so as much is purged as is
 * stored.
 */
const SETTLED_AFTER_DAYS = 2;
/** The part of its settled size by which the file may still grow: pages are split differently. */
const MAX_FILE_GROWTH = 0.1;
/**
 * Maximum size of the log in bytes when the thread that empties it is slow: SQLite itself empties it then.
 * Each page has a header of 24 bytes there.
 */
const MAX_LOG_BYTES = LIMITS.maxPages * (4_096 + 24);
/** Bytes by which memory may still grow once it is settled: caches that are not full yet. */
const MAX_MEMORY_GROWTH_BYTES = 128 * 2 ** 20;

/**
 * Runs the plan.
 * @param onMeasure called with each measure, once a day of the server's clock
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
  const mis = createMemoryMis(allPersonaPatients);
  const log = createLog('soak', 'error');
  const failures: unknown[] = [];
  const pipeline = createHandler({ store, mis, clock, random, config }, ({ reason, cause }) => {
    if (reason) failures.push(cause ?? reason);
  });
  const purges = [store.purge, store.purgeAudit].map((batch) => ({ retentionMs: DAY_MS, batch }));
  let rounds = 0;
  const stopPurge = startPurge({ purges, clock, log, onPurge: () => void rounds++ });
  const steps = (plan.days * DAY_MS) / STEP_MS;
  const measure = (day: number, sessions: number) => measureOf(database, plan.file, day, sessions);
  const pass = async (ms: number) => {
    const before = rounds;
    clock.advance(ms);
    // Waits until the purge that this starts has ended.
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
        for (; stored < due && calls.length < MAX_CONCURRENT_CALLS; stored++) {
          calls.push(...lifeOf(pipeline, config, randomToken(random), sign, stored));
        }
        await Promise.all(calls);
      }
      if (failures.length > 0) throw new Error(`A call was refused: ${String(failures[0])}`, { cause: failures[0] });
      await pass(STEP_MS);
      if ((step * STEP_MS) % DAY_MS === 0) {
        measures.push(measure((step * STEP_MS) / DAY_MS, stored));
        onMeasure(measures.at(-1) as Measure);
      }
    }
    // Advances twice: the purge that the first step starts runs before the clock has reached its end.
    for (const ms of [3 * DAY_MS, STEP_MS]) await pass(ms);
    const end = measure(plan.days, stored);
    return { measures, end, problems: problemsOf(measures, end) };
  } finally {
    await stopPurge();
    await store.close();
    mis.close();
  }
}

function measureOf(database: Database, file: string, day: number, sessions: number): Measure {
  return {
    day,
    sessions,
    rows: ['sessions', 'exchange_tokens', 'audit'].reduce(
      (sum, table) => sum + (database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number),
      0,
    ),
    fileBytes: bytesOf(database),
    logBytes: statSync(`${file}-wal`).size,
    memoryBytes: process.memoryUsage.rss(),
  };
}

/** Returns the size of all pages, in the file or in its log. */
function bytesOf(database: Database): number {
  const [pages, size] = ['page_count', 'page_size'].map((name) => database.pragma(name, { simple: true }) as number);
  return (pages as number) * (size as number);
}

/** Links the one user of all sessions and returns the signature. */
async function linkOne(pipeline: Pipeline, config: EhrConfig): Promise<string> {
  const exchangeToken = 'the first';
  const authInfo = { user: 'u-soak', token: 'the first session', ttl: TTL_MINUTES };
  const cred = { user: config.internalUser, token: digest(config.internalPassword, exchangeToken) };
  await call(pipeline, 'embedded_storage.save_exchange_token', { exchangeToken, authInfo }, cred);
  const patientProperties = propertiesOf(personas.anna);
  const reply = await call(pipeline, 'embedded_storage.authenticate', { exchangeToken, patientProperties });
  return (JSON.parse(reply ?? '') as { result: { user_sign: string } }).result.user_sign;
}

/**
 * Returns the calls of one session: each session is saved, and one in eight leaves an unused exchange token.
 */
function lifeOf(pipeline: Pipeline, config: EhrConfig, token: string, sign: string, index: number): Promise<unknown>[] {
  const authInfo = { user: 'u-soak', token, ttl: TTL_MINUTES };
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
  return (await onText(pipeline)(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, cred }), 'any')).body;
}

/** Lists what grew after the rows had settled, and what was left at the end. */
export function problemsOf(measures: readonly Measure[], end: Measure): string[] {
  const settled = measures.find(({ day }) => day >= SETTLED_AFTER_DAYS);
  const last = measures.at(-1);
  if (!settled || !last || settled === last) return ['The run is too short to tell: it needs more than two days.'];
  const problems: string[] = [];
  const later = measures.slice(measures.indexOf(settled) + 1);
  const largest = (member: 'rows' | 'fileBytes' | 'memoryBytes') =>
    Math.max(...later.map((measure) => measure[member]));
  if (largest('rows') > settled.rows * (1 + MAX_FILE_GROWTH)) {
    problems.push(`Rows grew from ${settled.rows} on day ${settled.day} to ${largest('rows')}.`);
  }
  if (largest('fileBytes') > settled.fileBytes * (1 + MAX_FILE_GROWTH)) {
    problems.push(`The file grew from ${settled.fileBytes} bytes on day ${settled.day} to ${largest('fileBytes')}.`);
  }
  const longest = Math.max(...[...measures, end].map(({ logBytes }) => logBytes));
  if (longest > MAX_LOG_BYTES) problems.push(`The log grew to ${longest} bytes; ${MAX_LOG_BYTES} is its limit.`);
  if (largest('memoryBytes') > settled.memoryBytes + MAX_MEMORY_GROWTH_BYTES) {
    problems.push(
      `The memory grew from ${settled.memoryBytes} bytes on day ${settled.day} to ${largest('memoryBytes')}.`,
    );
  }
  if (end.rows > 0) problems.push(`${end.rows} rows are left although everything has run out.`);
  return problems;
}
