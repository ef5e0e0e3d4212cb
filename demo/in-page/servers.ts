/** Both servers of the demo in one page, in memory, with their control ports and their HTTP. */

import type { ControlPort } from '#console/server/control-port.ts';
import { DEFAULT_RULES as EHR_RULES } from '#ehr-server/context.ts';
import { createHandler as createEhrHandler } from '#ehr-server/handle.ts';
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import { contentsInHex } from '#ehr-server/store/contents.ts';
import { memoryStore as createEhrStore } from '#ehr-server/store/memory.ts';
import { allPersonaPatients, orphans } from '#mis-fixtures/personas.ts';
import { DEFAULT_RULES as AUTH_RULES } from '#mock-auth-server/context.ts';
import { listSessions, openCorrespondence } from '#mock-auth-server/control-lists.ts';
import { createHandler as createAuthHandler } from '#mock-auth-server/handle.ts';
import { type InMemoryParts, openInMemory } from '#mock-auth-server/in-memory.ts';
import { readAttribute } from '#mock-auth-server/otp/attribute.ts';
import { type Outbox, readOutboxQuery } from '#mock-auth-server/outbox/outbox.ts';
import type { Store } from '#mock-auth-server/store/store.ts';
import { type Channel, onText, type Pipeline } from '#protocol/methods/pipeline.ts';
import { type Clock, type MovableClock, movableClock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';

type ServersInPage = {
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
      lists: { '/contents': () => contentsInHex(store) },
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
    clock,
    random,
    config: { ...AUTH_RULES, withoutCorrespondence },
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
      '/sessions': () => listSessions(store.sessions),
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

type ControlledParts = {
  clock: MovableClock;
  lists: Readonly<Record<string, () => unknown>>;
  /** Keeps all rows. The returned function puts them back. */
  keep: () => unknown;
  clear: () => unknown;
};

type Restore = () => unknown;

function memoryControl({ clock, lists, keep, clear }: ControlledParts): ControlPort {
  const kept = new Map<number, Restore>();
  let taken = 0;
  const gets: Readonly<Record<string, () => unknown>> = { ...lists, '/clock': () => ({ now: clock.now() }) };

  async function post(path: string, body: unknown): Promise<unknown> {
    if (path === '/clock') clock.advance((body as { advance: number }).advance);
    else if (path === '/clear') await clear();
    else if (path === '/snapshots') kept.set(++taken, (await keep()) as Restore);
    else await kept.get(idIn(path))?.();
    return { id: taken, now: clock.now() };
  }

  return {
    get: async <T>(path: string) => (await gets[path]?.()) as T,
    post: async <T>(path: string, body?: unknown) => (await post(path, body)) as T,
    delete: async (path) => kept.delete(idIn(path)),
  };
}

/** The number of the snapshot in `/snapshots/ID` and `/snapshots/ID/restore`. */
function idIn(path: string): number {
  return Number(path.split('/')[2]);
}

type MemoryRequest = { method: string; path: string; body: string };
type MemoryAnswer = { status: number; headers: [string, string][]; body: Uint8Array };

export function served(pipeline: Pipeline, path: string, channel: Channel) {
  const answer = onText(pipeline);
  return async (request: MemoryRequest): Promise<MemoryAnswer> => {
    if (request.method !== 'POST' || request.path !== path) return jsonOf(404, NOTHING_HERE);
    const { body } = await answer(request.body, channel);
    return body === undefined ? { status: 204, headers: [], body: new Uint8Array() } : jsonOf(200, body);
  };
}

const NOTHING_HERE = JSON.stringify({ error: { reason: 'not_found', message: 'There is nothing here.' } });

function jsonOf(status: number, json: string): MemoryAnswer {
  const body = new TextEncoder().encode(json);
  return {
    status,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['content-length', String(body.length)],
      ['cache-control', 'no-store'],
      ['x-content-type-options', 'nosniff'],
    ],
    body,
  };
}
