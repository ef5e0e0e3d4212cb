/**
 * The state of this authorization server: users, codes and sessions, in memory or in a file that outlives a
 * restart. It contains no user_sign.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** The state; reads it from the state file, where that exists. */
export class Memory {
  /** Phone to user: the public id, and the id in the correspondence table (undefined: no entry). */
  users = new Map();
  /** Phone to the codes sent to it, the newest first. */
  codes = new Map();
  /** Phone to the times at which codes were sent. */
  sends = new Map();
  /** Digest of a session token to the session. */
  sessions = new Map();
  /** How far (ms) the clock was moved forward. */
  ahead = 0;
  #settings;
  #isClosed = false;

  constructor(settings) {
    this.#settings = settings;
    if (settings.stateFile === undefined || !existsSync(settings.stateFile)) return;
    const saved = JSON.parse(readFileSync(settings.stateFile, 'utf8'));
    for (const name of NAMES) this[name] = new Map(saved[name]);
    this.ahead = saved.ahead;
  }

  /** Stops writing: a call that ends after the server was stopped must not change the state file. */
  close() {
    this.#isClosed = true;
  }

  /**
   * Writes the state, if there is a file for it. The mark `busy` of a code under confirmation is not written:
   * a restart ends the confirmation.
   */
  save() {
    const { stateFile, fault } = this.#settings;
    if (stateFile === undefined || this.#isClosed) return;
    const all = { ...Object.fromEntries(NAMES.map((name) => [name, [...this[name]]])), ahead: this.ahead };
    if (fault('user-id-in-memory-only')) all.users = [];
    writeFileSync(
      `${stateFile}.new`,
      JSON.stringify(all, (name, value) => (name === 'busy' ? undefined : value)),
      { mode: 0o600 },
    );
    renameSync(`${stateFile}.new`, stateFile);
  }

  /** Drops codes, times and sessions that ended before the moment `then` (ms). */
  forgetBefore(then) {
    for (const [phone, times] of this.sends) if (times.at(-1) < then) this.sends.delete(phone);
    for (const [phone, [newest]] of this.codes) if (newest.until < then) this.codes.delete(phone);
    for (const [key, { until }] of this.sessions) if (until < then) this.sessions.delete(key);
  }
}

/** The members that are written to the file. */
const NAMES = ['users', 'codes', 'sends', 'sessions'];
