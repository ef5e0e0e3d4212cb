/**
 * Defects that are injected into a server to prove the checker. Each changes what the server's statements do,
 * and names the rules of which at least one must notice.
 */
import type { Engine } from '../run.ts';

export type Defect = {
  name: string;
  engine: Engine;
  /** What the server does wrong. */
  title: string;
  /** Replacements in SQL text and in connection options: the first text is replaced by the second. */
  rewrites?: readonly (readonly [string, string])[];
  /** Commits only one transaction in this many, and acknowledges all of them. */
  commitsEvery?: number;
  /** Settings of the PostgreSQL server. */
  serverSettings?: Readonly<Record<string, string>>;
  /** At least one of these rules must be broken. */
  rules: readonly string[];
};

const lost = [
  'acknowledged-session-lost',
  'acknowledged-exchange-token-lost',
  'acknowledged-removal-undone',
  'exchange-token-used-twice',
  'used-token-answered',
  'no-order-explains',
];

export const defects: readonly Defect[] = [
  {
    name: 'acknowledges-early',
    engine: 'sqlite',
    title: 'acknowledges before COMMIT: SIGKILL loses writes',
    commitsEvery: 25,
    rules: lost,
  },
  {
    name: 'token-usable-twice',
    engine: 'sqlite',
    title: 'does not use exchange tokens up',
    rewrites: [['UPDATE exchange_tokens SET used = 1', 'UPDATE exchange_tokens SET used = 0']],
    rules: ['exchange-token-used-twice'],
  },
  {
    name: 'patient-shared',
    engine: 'sqlite',
    title: 'links a patient to any number of users',
    rewrites: [
      ['SELECT user FROM links WHERE patient_id = ?', 'SELECT user FROM links WHERE patient_id = ? AND 0'],
      ['patient_id TEXT NOT NULL UNIQUE', 'patient_id TEXT NOT NULL'],
    ],
    rules: ['patient-linked-twice'],
  },
  {
    name: 'records-again',
    engine: 'sqlite',
    title: 'takes every repeated save for the first',
    rewrites: [['SELECT record_id, link, expires_at, recorded', 'SELECT record_id, link, expires_at, 0 AS recorded']],
    rules: ['token-saved-twice'],
  },
  {
    name: 'logout-forgotten',
    engine: 'sqlite',
    title: 'acknowledges a logout and keeps the session',
    rewrites: [
      [
        'UPDATE sessions SET link = NULL, created = NULL, expires_at = ? WHERE token_hash',
        'UPDATE sessions SET expires_at = max(expires_at, ?) WHERE token_hash',
      ],
    ],
    rules: ['acknowledged-removal-undone'],
  },
  {
    name: 'failures-not-counted',
    engine: 'sqlite',
    title: 'does not count failed matches',
    rewrites: [['SET failures = failures + 1', 'SET failures = failures + 0']],
    rules: ['no-order-explains'],
  },
  {
    name: 'audit-forgets-logouts',
    engine: 'sqlite',
    title: 'leaves logouts out of the audit',
    rewrites: [
      [
        'outcome) VALUES (?, ?, ?, ?, ?)',
        "outcome) SELECT * FROM (VALUES (?, ?, ?, ?, ?)) WHERE column2 <> 'embedded_storage.remove_auth_info'",
      ],
    ],
    rules: ['audit-entry-missing'],
  },
  {
    name: 'commits-asynchronously',
    engine: 'postgres',
    title: 'acknowledges what PostgreSQL has not on the disk yet',
    rewrites: [['synchronous_commit=on', 'synchronous_commit=off']],
    serverSettings: { wal_writer_delay: '5s' },
    rules: lost,
  },
  {
    name: 'token-not-locked',
    engine: 'postgres',
    title: 'reads an exchange token without a lock',
    rewrites: [['FROM exchange_tokens WHERE hash = $1 FOR NO KEY UPDATE', 'FROM exchange_tokens WHERE hash = $1']],
    rules: ['exchange-token-used-twice'],
  },
  {
    name: 'patient-shared-between-processes',
    engine: 'postgres',
    title: 'links a patient to any number of users',
    rewrites: [
      ['SELECT 1 FROM links WHERE patient_id = $1', 'SELECT 1 FROM links WHERE patient_id = $1 AND false'],
      ['patient_id text COLLATE "C" NOT NULL UNIQUE', 'patient_id text COLLATE "C" NOT NULL'],
    ],
    rules: ['patient-linked-twice'],
  },
];
