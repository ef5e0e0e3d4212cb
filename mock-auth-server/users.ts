/** Creates the user of a confirmed identity: public id, internal id, and the entry that connects them. */

import { randomToken } from '#protocol/time/random.ts';
import { phoneKey } from '#protocol/wire/matching.ts';
import type { Context } from './context.ts';
import type { Identity } from './store/store.ts';

const ID_BYTES = 16;

/** The public user id is the same at every sign-in. A new user gets an entry unless the settings deny it. */
export function ensureUser({ store, random, clock, config }: Context, identity: Identity): string {
  const user = identity.kind === 'login' ? identity.value : `u-${randomToken(random, ID_BYTES)}`;
  const internalId = hasEntry(identity, config.withoutCorrespondence)
    ? `int-${randomToken(random, ID_BYTES)}`
    : undefined;
  return store.atomically(() => store.directory.ensureUser({ user, identity, internalId, now: clock.now() }));
}

/** A test login may be named by a phone as well. */
function hasEntry({ value }: Identity, without: readonly string[]): boolean {
  return !without.includes(phoneKey(value) ?? value.toLowerCase());
}
