import { createServer } from 'node:net';
import { test } from 'vitest';
import { listening } from '#testing/listening.ts';
import { expectSaysUnreached } from './testing/fresh-clone.ts';

/** Returns the address of a registry that takes connections and never answers. */
const silentRegistry = async () => `http://127.0.0.1:${await listening(createServer())}/`;

/** Nobody listens at port 9. */
const REFUSING_REGISTRY = 'http://127.0.0.1:9/';

/** npm itself would try for minutes. */
const SOON_MS = 120_000;

test('a first start without a network says so, refused or unanswered', { timeout: SOON_MS }, () =>
  Promise.all([expectSaysUnreached(REFUSING_REGISTRY), silentRegistry().then(expectSaysUnreached)]),
);
