/** The codes of the store in memory, and when they were sent. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { deleteOld, keyOf, type Memory } from './memory-tables.ts';
import { type Codes, MAX_CODES, type Sendings } from './store.ts';

export function codesIn(memory: Memory): Codes {
  let lastSeq = 0;
  const bySeq = (seq: number) => [...memory.tables.codes].find(([, code]) => code.seq === seq);
  return {
    find: (attribute) => memory.tables.codes.get(keyOf(attribute)),
    put(attribute, { salt, hash }, sentAt, expiresAt) {
      const { codes } = memory.tables;
      const seq = ++lastSeq;
      // Deleted first, so that the codes stay in the order of sending.
      codes.delete(keyOf(attribute));
      codes.set(keyOf(attribute), { seq, salt, hash, sentAt, expiresAt, failures: 0 });
      for (const [key, code] of codes) {
        if (code.seq > seq - MAX_CODES) break;
        if (code.expiresAt <= sentAt) codes.delete(key);
      }
      for (const code of codes.values()) if (code.expiresAt > sentAt) return seq - code.seq;
      return 0;
    },
    countFailure(seq) {
      const [key, code] = bySeq(seq) ?? [];
      if (key !== undefined && code) memory.tables.codes.set(key, { ...code, failures: code.failures + 1 });
    },
    consume(seq) {
      const [key] = bySeq(seq) ?? [];
      return key !== undefined && memory.tables.codes.delete(key);
    },
    remove: (identity) => void memory.tables.codes.delete(keyOf(identity)),
    purge: (before, limit) => deleteOld(memory.tables.codes, ({ expiresAt }) => expiresAt < before, limit),
  };
}

export function sendingsIn(memory: Memory): Sendings {
  const of = (recipient: Uint8Array) => memory.tables.sendings.get(bytesToHex(recipient)) ?? [];
  return {
    add: (recipient, now) => void memory.tables.sendings.set(bytesToHex(recipient), [...of(recipient), now]),
    since(recipient, time, now) {
      const times = of(recipient).filter((at) => at > time && at < 2 * now - time);
      const past = times.filter((at) => at <= now);
      return { count: times.length, last: past.length === 0 ? null : Math.max(...past) };
    },
    purge(before, limit) {
      let purged = 0;
      for (const [recipient, times] of memory.tables.sendings) {
        const kept = times.filter((at) => at >= before || purged++ >= limit);
        if (kept.length > 0) memory.tables.sendings.set(recipient, kept);
        else memory.tables.sendings.delete(recipient);
      }
      return Math.min(purged, limit);
    },
  };
}
