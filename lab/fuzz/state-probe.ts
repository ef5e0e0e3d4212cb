/**
 * Reads the database of an EHR server from outside: its content, whether it changed, and how to restore it.
 */
import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { openSqlite } from '#service/sqlite.ts';

/** The stored state, by names that the state model can produce, too. */
export type Holdings = {
  /** User to patient. */
  links: Record<string, string>;
  /** Token hash to user, for sessions that have not ended. */
  sessions: Record<string, string>;
  /** Exchange token hash to its number of failures, or to `used`. */
  exchangeTokens: Record<string, number | 'used'>;
};

const TABLES = ['sessions', 'exchange_tokens', 'links'] as const;
const FAR_FUTURE_MS = 10 * 366 * 86_400_000;

export class StateProbe {
  readonly #db: Database;
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
    this.toBase();
  }

  toBase(): void {
    this.#rewrite(TABLES.map((table) => `INSERT INTO main.${table} SELECT * FROM temp.base_${table}`));
  }

  toEmpty(): void {
    this.#rewrite([]);
  }

  /** Tells what changed since the last call: nothing, only the failure counts of exchange tokens, or more. */
  change(): 'none' | 'failures' | 'state' {
    const version = this.#db.pragma('data_version', { simple: true });
    if (version === this.#version) return 'none';
    const before = this.#seen;
    this.#look();
    if (this.#seen.rest !== before.rest) return 'state';
    return this.#seen.failures === before.failures ? 'none' : 'failures';
  }

  holdings(): Holdings {
    const read = <Row>(sql: string) => this.#db.prepare<[], Row>(sql).all();
    const links = read<{ user: string; patient_id: string }>('SELECT user, patient_id FROM links');
    const sessions = read<{ token: string; user: string }>(
      'SELECT lower(hex(token_hash)) AS token, user FROM sessions JOIN links ON id = link',
    );
    const tokens = read<{ token: string; failures: number; used: number }>(
      'SELECT lower(hex(hash)) AS token, failures, used FROM exchange_tokens',
    );
    return {
      links: Object.fromEntries(links.map(({ user, patient_id }) => [user, patient_id])),
      sessions: Object.fromEntries(sessions.map(({ token, user }) => [token, user])),
      exchangeTokens: Object.fromEntries(tokens.map(({ token, failures, used }) => [token, used ? 'used' : failures])),
    };
  }

  close(): void {
    this.#db.close();
  }

  #rewrite(inserts: string[]): void {
    this.#db.transaction(() => {
      for (const table of TABLES) this.#db.exec(`DELETE FROM main.${table}`);
      for (const insert of inserts) this.#db.exec(insert);
    })();
    this.#look();
  }

  #look(): void {
    this.#version = this.#db.pragma('data_version', { simple: true });
    const failures = this.#digest('SELECT hash, failures FROM exchange_tokens ORDER BY hash');
    const rest = [
      'SELECT * FROM sessions ORDER BY token_hash',
      'SELECT * FROM links ORDER BY user',
      'SELECT hash, record_id, user, session_hash, session_lifetime, session_created, expires_at, used FROM exchange_tokens ORDER BY hash',
    ];
    this.#seen = { rest: rest.map((sql) => this.#digest(sql)).join(), failures };
  }

  #digest(sql: string): string {
    return createHash('sha256')
      .update(JSON.stringify(this.#db.prepare(sql).all()))
      .digest('hex');
  }
}
