/** The store on PostgreSQL, for any number of processes. Keys and row locks keep changes consistent. */
import { DEFAULT_FAILED_MATCHES_PER_HOUR } from '#protocol/limits.ts';
import { type Log, outageLog } from '#service/process/log.ts';
import type { Attempt, Contents, Store, StoreOptions, TokenHash } from '../store.ts';
import { type Access, addAccesses, auditRange, readAudit } from './audit.ts';
import { BatchQueue, type BatchQueueOptions } from './batch-queue.ts';
import { connectionOn, type Query } from './connection.ts';
import { refusalsOf, saverOfTokens } from './exchange-tokens.ts';
import { countFailure, findLinks, link, removeUser } from './links.ts';
import { openPool } from './pool.ts';
import { purge, purgeAudit, purgeFailures } from './purge.ts';
import { migrate } from './schema.ts';
import { enderOfSessions, findSessions, type SessionToSave, saverOfSessions } from './sessions.ts';

type PostgresStoreOptions = StoreOptions & {
  /** The number of connections in all. */
  connections: number;
  /** The longest time for a statement, and for getting a connection. */
  timeoutMs: number;
  log?: Log | undefined;
};

/** The most batches of each kind under way: while one waits for its commit, the next is on its way. */
const MAX_BATCHES_UNDER_WAY = 2;

/** Writes nothing, but fails if nothing could be written. */
const PROBE = {
  name: 'probe',
  text: `SELECT current_setting('transaction_read_only') = 'on' AS is_read_only, EXISTS (SELECT FROM sessions) AS has_sessions`,
};

/**
 * Open the store in the database of `url`, and create or upgrade its tables.
 * @throws Error naming the database without its password, what is wrong and the remedy
 */
export async function openPostgresStore(
  url: string,
  { audit: isAudited, failedMatchesPerHour, onCommit, connections, timeoutMs, log }: PostgresStoreOptions,
): Promise<Store> {
  const perHour = failedMatchesPerHour ?? DEFAULT_FAILED_MATCHES_PER_HOUR;
  await migrate(url, timeoutMs);
  const outages = outageLog(log, {
    away: 'the database does not answer',
    back: 'the database answers again',
  });
  // A fifth of the connections records accesses. Their commits do not wait for the disk: an entry of an access may
  // be lost with the machine.
  const forAccesses = Math.max(1, Math.floor(connections / 5));
  const database = connectionOn(openPool(url, connections - forAccesses, { timeoutMs }), outages);
  const accesses = connectionOn(openPool(url, forAccesses, { timeoutMs, durable: false }), outages);
  const { query, transaction } = database;
  const queues = openQueues(query, accesses.query, { isAudited, perHour, timeoutMs, onBatch: onCommit });
  return {
    findSession: (tokenHash) => queues.sessions.submit(tokenHash),
    findLink: (user) => queues.links.submit(user),
    refusalOf: (attempt) => queues.refusals.submit(attempt),
    saveSession: (session, userSign, now, { mayRecord }) =>
      (mayRecord ? queues.recordingSaves : queues.saves).submit({ session, userSign, now }),
    saveExchangeToken: (token, now) => queues.tokens.submit({ token, now }),
    link: (request) => transaction((run) => link(run, request, { isAudited, perHour })),
    countFailure: (attempt) => transaction((run) => countFailure(run, attempt, { isAudited, perHour })),
    removeSession: (tokenHash, user, now) => queues.ends.submit({ tokenHash, user, now }),
    removeUser: (tokenHash, user, now) =>
      transaction((run) => removeUser(run, { tokenHash, user, now }, isAudited)),
    recordAccess: async (user, patientId, now) => {
      if (isAudited) await queues.reads.submit({ user, patientId, now });
    },
    readAudit: (given) => readAudit(database, given),
    auditRange: () => auditRange(database),
    contents: (limit) => readContents(query, limit),
    purge: (before, limit) => transaction((run) => purge(run, before, limit)),
    purgeFailures: (before, limit) => transaction((run) => purgeFailures(run, before, limit)),
    purgeAudit: (before, limit) => transaction((run) => purgeAudit(run, before, limit)),
    check: () => checkWritable(query),
    async close() {
      await queues.settled();
      await Promise.all([database.close(), accesses.close()]);
    },
  };
}

/** @throws Error when the database answers, but takes no writes */
async function checkWritable(query: Query): Promise<void> {
  const [row] = await query<{ is_read_only: boolean }>(PROBE, []);
  if (row?.is_read_only)
    throw new Error('The database takes no writes: it is a standby, or set to read only.');
}

type QueueOptions = Pick<BatchQueueOptions<unknown, unknown>, 'onBatch'> & {
  isAudited: boolean;
  perHour: number;
  timeoutMs: number;
};

/** Create a batch queue for each kind of call. `addEntries` records accesses, `query` does all the rest. */
function openQueues(
  query: Query,
  addEntries: Query,
  { isAudited, perHour, timeoutMs, onBatch }: QueueOptions,
) {
  const kinds: { settled(): Promise<void> }[] = [];
  const queueOf = <Call, Result>(
    execute: (calls: readonly Call[]) => Promise<Result[]>,
    more: Pick<BatchQueueOptions<Call, Result>, 'keyOf' | 'onBatch'> = {},
  ) => {
    const limits = { maxUnderWay: MAX_BATCHES_UNDER_WAY, maxWaitMs: timeoutMs };
    const queue = new BatchQueue<Call, Result>({ execute, ...limits, ...more });
    kinds.push(queue);
    return queue;
  };
  const ofSession = { keyOf: ({ session }: SessionToSave) => keyOf(session.tokenHash), onBatch };
  return {
    sessions: queueOf((hashes: readonly TokenHash[]) => findSessions(query, hashes)),
    links: queueOf((users: readonly string[]) => findLinks(query, users)),
    refusals: queueOf((attempts: readonly Attempt[]) => refusalsOf(query, attempts, perHour)),
    recordingSaves: queueOf(saverOfSessions(query, isAudited, true), ofSession),
    saves: queueOf(saverOfSessions(query, isAudited, false), ofSession),
    tokens: queueOf(saverOfTokens(query, isAudited), { keyOf: ({ token }) => keyOf(token.hash), onBatch }),
    ends: queueOf(enderOfSessions(query, isAudited), { keyOf: ({ tokenHash }) => keyOf(tokenHash), onBatch }),
    reads: queueOf((accesses: readonly Access[]) => addAccesses(addEntries, accesses), { onBatch }),
    settled: () => Promise.all(kinds.map((queue) => queue.settled())),
  };
}

/** The key of a hash. Equal hashes have equal keys. */
function keyOf(hash: TokenHash): string {
  return Buffer.from(hash).toString('latin1');
}

const SESSIONS = {
  name: 'contents_sessions',
  text: `SELECT s.token_hash AS "tokenHash", s.user_id AS user, l.patient_id AS "patientId", s.expires_at AS "expiresAt"
    FROM sessions s JOIN links l ON l.user_id = s.user_id WHERE NOT s.ended ORDER BY s.expires_at DESC, s.token_hash LIMIT $1`,
};
const EXCHANGE_TOKENS = {
  name: 'contents_exchange_tokens',
  text: `SELECT hash, user_id AS user, expires_at AS "expiresAt", failures
    FROM exchange_tokens WHERE NOT used ORDER BY expires_at DESC, hash LIMIT $1`,
};
const LINKS = {
  name: 'contents_links',
  text: 'SELECT user_id AS user, patient_id AS "patientId" FROM links ORDER BY user_id LIMIT $1',
};

/** Read at most `limit` rows of each kind. */
async function readContents(query: Query, limit: number): Promise<Contents> {
  return {
    sessions: await query<Contents['sessions'][number]>(SESSIONS, [limit]),
    exchangeTokens: await query<Contents['exchangeTokens'][number]>(EXCHANGE_TOKENS, [limit]),
    links: await query<Contents['links'][number]>(LINKS, [limit]),
  };
}
