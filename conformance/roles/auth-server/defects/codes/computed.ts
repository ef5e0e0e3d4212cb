/** Defects in codes and tokens that are computed: from the one before, or as the hash of what others know. */
import { createHash } from 'node:crypto';
import { withContext } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';
import { drawsCodes } from './code.ts';

/** A generator that begins with a number nobody knows. */
const generated = (next: (state: number) => number, shown: (state: number) => number) => () => {
  let state = 90_210_417;
  return () => {
    state = next(state);
    return String(shown(state)).padStart(6, '0');
  };
};

/** Draws every token of 32 bytes as the hash of a value. */
const hashed = (id: string, title: string, caughtBy: string, value: (count: number) => string): Defect =>
  withContext(id, title, caughtBy, (context) => {
    let count = 0;
    return {
      ...context,
      random: (length) =>
        length === 32 ? createHash('sha256').update(value(++count)).digest() : context.random(length),
    };
  });

export const computedDefects: readonly Defect[] = [
  drawsCodes(
    'codes-of-c-library',
    'Codes are the last digits of what rand of the C library returns',
    'codes-unpredictable',
    generated(
      (state) => ((Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % 2 ** 31,
      (state) => state % 1_000_000,
    ),
  ),
  drawsCodes(
    'codes-of-minstd',
    'Codes are the share of what minstd_rand returns',
    'codes-unpredictable',
    generated(
      (state) => (state * 48_271) % (2 ** 31 - 1),
      (state) => Math.floor((state * 1_000_000) / (2 ** 31 - 1)),
    ),
  ),
  drawsCodes(
    'codes-multiplied',
    'A code is the one before times a number, plus another',
    'codes-unpredictable',
    generated(
      (state) => ((state % 1_000_000) * 391 + 4_711) % 1_000_000,
      (state) => state,
    ),
  ),
  hashed('tokens-hash-of-counter', 'Session tokens are the SHA-256 of a counter', 'session-token-entropy', String),
  hashed(
    'exchange-tokens-hash-of-counter',
    'Exchange tokens are the SHA-256 of a counter',
    'exchange-token-entropy',
    (count) => String(1_000 + count),
  ),
  onShape('challenge', 'codes-of-c-library', 'codes-unpredictable'),
  onShape('challenge', 'tokens-hash-of-counter', 'session-token-entropy'),
];
