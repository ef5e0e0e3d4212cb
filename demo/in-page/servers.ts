/** Both servers of the demo in one page, with what they hold in memory. */
import { DEFAULT_RULES as EHR_RULES } from '#ehr-server/default-rules.ts';
import { createHandler as createEhrHandler } from '#ehr-server/handle.ts';
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import { contentsTold } from '#ehr-server/store/contents-told.ts';
import { memoryStore as createEhrStore } from '#ehr-server/store/memory.ts';
import { allPersonaPatients, orphans } from '#mis-fixtures/personas.ts';
import { DEFAULT_RULES as AUTH_RULES } from '#mock-auth-server/default-rules.ts';
import { openCorrespondence } from '#mock-auth-server/ehr/correspondence.ts';
import { createHandler as createAuthHandler } from '#mock-auth-server/handle.ts';
import { type InMemoryParts, openInMemory } from '#mock-auth-server/in-memory.ts';
import { readAttribute } from '#mock-auth-server/otp/attribute.ts';
import type { Outbox } from '#mock-auth-server/outbox/outbox.ts';
import { readOutboxQuery } from '#mock-auth-server/outbox/outbox-query.ts';
import { sessionsTold } from '#mock-auth-server/store/sessions-told.ts';
import type { Store } from '#mock-auth-server/store/store.ts';
import { type Clock, type MovableClock, movableClock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { memoryControl } from './control.ts';

export type ServersInPage = {
  machineClock: Clock;
  random: Random;
  apiVersion: string;
  internalUser: string;
  internalPassword: string;
};

/** What goes wrong in a method is told by its answer: the page shows both sides. */
const unreported = () => undefined;

export function openEhr({ machineClock, random, ...settings }: ServersInPage) {
  const clock = movableClock(machineClock);
  const store = createEhrStore({ audit: false });
  const mis = createMemoryMis(allPersonaPatients);
  const config = { ...EHR_RULES, ...settings };
  return {
    pipeline: createEhrHandler({ store, mis, clock, random, config }, unreported),
    control: memoryControl({
      clock,
      lists: { '/contents': () => contentsTold(store) },
      keep: () => store.keep?.(),
      clear: () => store.clear?.(),
    }),
  };
}

/** @param ehr the EHR server, as this one reaches it */
export function openAuth(parts: ServersInPage, ehr: Omit<InMemoryParts['ehr'], 'apiVersion'>) {
  const { machineClock, random, apiVersion, internalUser: user, internalPassword: password } = parts;
  const clock = movableClock(machineClock);
  const withoutCorrespondence = orphans.map((text) => readAttribute(text)?.value ?? text);
  const context = openInMemory({
    ...{ clock, random, config: { ...AUTH_RULES, withoutCorrespondence } },
    internal: { user, password },
    ehr: { ...ehr, apiVersion },
  });
  return {
    pipeline: createAuthHandler(context, unreported),
    fetchOutbox: outboxFetch(context.outbox),
    control: authControl(context.store, clock),
  };
}

function authControl(store: Store, clock: MovableClock) {
  const correspondence = openCorrespondence(store.directory);
  return memoryControl({
    clock,
    lists: {
      '/sessions': () => sessionsTold(store.sessions),
      '/correspondence': () => correspondence.list(),
    },
    keep: () => store.rows.keep(),
    clear: () => store.rows.clear(),
  });
}

/** Answers what `GET /outbox` of the server over HTTP does. */
function outboxFetch(outbox: Outbox): typeof fetch {
  return async (address, init) => {
    const query = readOutboxQuery(new URL(String(address)).searchParams);
    if (typeof query === 'string') return new Response(query, { status: 400 });
    const { signal = null } = init ?? {};
    const delivery = await outbox.wait(query, query.wait * 1_000, signal ?? new AbortController().signal);
    if (!delivery) return new Response(null, { status: 429 });
    const headers = { 'Outbox-Cursor': String(delivery.cursor) };
    return Response.json(delivery.messages, { headers });
  };
}
