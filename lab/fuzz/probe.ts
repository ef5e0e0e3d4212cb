/**
 * Reads the database of an EHR server from outside: its content, whether it changed, and how to restore it.
 */
import { openSqlite } from '#service/sqlite.ts';

/** The stored state, by names that the state model can produce, too. Tokens are hashes. */
export type Holdings = {
  /** User to patient. */
  links: Record<string, string>;
  /** Token to user, for sessions that have not ended. */
  sessions: Record<string, string>;
  /** Exchange token to its number of failures, or to `used`. */
  exchangeTokens: Record<string, number | 'used'>;
};

export type StoredChange = 'none' | 'failures' | 'state';

const TABLES = ['sessions', 'exchange_tokens', 'links'] as const;
const FAR_FUTURE_MS = 10 * 366 * 86_400_000;
const FAILURES = 'SELECT hash, failures FROM exchange_tokens ORDER BY hash';
const ALL_ELSE = [
  'SELECT * FROM sessions ORDER BY token_hash',
  'SELECT * FROM links ORDER BY user',
  `SELECT hash, record_id, user, session_hash, session_lifetime, session_created, expires_at, used
   FROM exchange_tokens ORDER BY hash`,
];

export class StateProbe {
  readonly #db: ReturnType<typeof openSqlite>;
  #version: unknown;
  #seen = { rest: '', failures: '' };

  constructor(file: string) {
    this.#db = openSqlite(file, { timeout: 2_000 });
    this.#db.pragma('synchronous = OFF');
  }

  /** Makes the present content the base, with known signatures and expiry times that are never reached. */
  keepAsBase(signOf: (user: string) => string): void {
    this.#db.function('sign_of', (user: unknown) => signOf(String(user)));
    this.#db.exec('UPDATE links SET user_sign = sign_of(user)');
    for (const table of TABLES) {
      if (table !== 'links') this.#db.exec(`UPDATE ${table} SET expires_at = expires_at + ${FAR_FUTURE_MS}`);
      this.#db.exec(`CREATE TEMP TABLE base_${table} AS SELECT * FROM ${table}`);
    }
    this.rewrite('base');
  }

  /** Replaces the content by the base, or by nothing. */
  rewrite(content: 'base' | 'empty'): void {
    this.#db.transaction(() => {
      for (const table of TABLES) this.#db.exec(`DELETE FROM main.${table}`);
      if (content === 'empty') return;
      for (const table of TABLES) this.#db.exec(`INSERT INTO main.${table} SELECT * FROM temp.base_${table}`);
    })();
    this.#look();
  }

  /** Tells what changed since the last call: nothing, only the failure counts of exchange tokens, or more. */
  change(): StoredChange {
    if (this.#db.pragma('data_version', { simple: true }) === this.#version) return 'none';
    const before = this.#seen;
    this.#look();
    if (this.#seen.rest !== before.rest) return 'state';
    return this.#seen.failures === before.failures ? 'none' : 'failures';
  }

  holdings(): Holdings {
    const read = (sql: string) => Object.fromEntries(this.#db.prepare<[], [string, never]>(sql).raw().all());
    return {
      links: read('SELECT user, patient_id FROM links'),
      sessions: read('SELECT lower(hex(token_hash)), user FROM sessions JOIN links ON id = link'),
      exchangeTokens: read("SELECT lower(hex(hash)), iif(used, 'used', failures) FROM exchange_tokens"),
    };
  }

  close(): void {
    this.#db.close();
  }

  #look(): void {
    const textOf = (sql: string) => JSON.stringify(this.#db.prepare(sql).all());
    this.#version = this.#db.pragma('data_version', { simple: true });
    this.#seen = { rest: ALL_ELSE.map(textOf).join(), failures: textOf(FAILURES) };
  }
}
