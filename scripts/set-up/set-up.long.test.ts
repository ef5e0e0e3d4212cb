import { createServer } from 'node:net';
import { test } from 'vitest';
import { listening } from '#testing/listening.ts';
import { expectUnreached } from './testing/fresh-clone.ts';

/** Returns the address of a registry that takes connections and never answers. */
const silentRegistry = async () => `http://127.0.0.1:${await listening(createServer())}/`;

// npm itself would try for minutes: the time-out of the test is what shows the difference.
test('a first start without a network says so, refused or unanswered', () =>
  Promise.all([expectUnreached('http://127.0.0.1:9/'), silentRegistry().then(expectUnreached)]));
