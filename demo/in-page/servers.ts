/** Both servers of the demo in one page, with what they hold in memory. */
import { DEFAULT_RULES as EHR_RULES } from '#ehr-server/default-rules.ts';
import { createHandler as createEhrHandler } from '#ehr-server/handle.ts';
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import { contentsTold } from '#ehr-server/store/contents-told.ts';
import { memoryStore as createEhrStore } from '#ehr-server/store/memory.ts';
import { personaList } from '#mis-fixtures/personas.ts';
import { DEFAULT_RULES as AUTH_RULES } from '#mock-auth-server/default-rules.ts';
import { openCorrespondence } from '#mock-auth-server/ehr/correspondence.ts';
import { createEhrClient } from '#mock-auth-server/ehr/ehr-client.ts';
import { createHandler as createAuthHandler } from '#mock-auth-server/handle.ts';
import { readAttribute } from '#mock-auth-server/otp/attribute.ts';
import { createOneTimeCodes } from '#mock-auth-server/otp/one-time-codes.ts';
import { createOutbox } from '#mock-auth-server/outbox/outbox.ts';
import { readOutboxQuery } from '#mock-auth-server/outbox/outbox-query.ts';
import { memoryStore as createAuthStore } from '#mock-auth-server/store/memory.ts';
import { sessionsTold } from '#mock-auth-server/store/sessions-told.ts';
import { DEFAULT_CODES_PER_DAY } from '#protocol/limits.ts';
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

const EHR_TIMEOUT_MS = 5_000;

/** What goes wrong in a method is told by its answer: the page shows both sides. */
const unreported = () => undefined;

export function openEhr({ machineClock, random, ...settings }: ServersInPage) {
  const clock = movableClock(machineClock);
  const store = createEhrStore({ audit: false });
  const mis = createMemoryMis(personaList.flatMap(({ patients }) => patients));
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

/** @param ehr base URL of the EHR server, and the `fetch` that reaches it */
export function openAuth(parts: ServersInPage, ehr: { ehrUrl: string; fetch: typeof fetch }) {
  const { machineClock, random, apiVersion, internalUser, internalPassword } = parts;
  const clock = movableClock(machineClock);
  const store = createAuthStore();
  const outbox = createOutbox(store, clock);
  const limits = {
    resendAfter: AUTH_RULES.otpResendAfter,
    perDay: DEFAULT_CODES_PER_DAY,
    key: internalPassword,
  };
  const calling = {
    apiVersion,
    internalUser,
    internalPassword,
    ehrUrl: ehr.ehrUrl,
    ehrTimeout: EHR_TIMEOUT_MS,
  };
  const log = { warn: unreported };
  const context = {
    ...{ store, outbox, clock, random },
    codes: createOneTimeCodes(store, clock, random, limits),
    ehr: createEhrClient({ config: calling, clock, log, fetch: ehr.fetch }),
    config: { ...AUTH_RULES, withoutCorrespondence: withoutEntry() },
  };
  return {
    pipeline: createAuthHandler(context, unreported),
    fetchOutbox: outboxFetch(outbox),
    control: authControl(store, clock),
  };
}

function authControl(store: ReturnType<typeof createAuthStore>, clock: MovableClock) {
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

/** The phones and addresses of the personas for whom the correspondence table has no entry. */
function withoutEntry(): string[] {
  const orphans = personaList.filter(({ hasCorrespondenceEntry }) => !hasCorrespondenceEntry);
  return orphans.map(({ signIn }) => readAttribute(signIn)?.value ?? signIn);
}

/** Answers what `GET /outbox` of the server over HTTP does. */
function outboxFetch(outbox: ReturnType<typeof createOutbox>): typeof fetch {
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
