/** The two servers for a client under test: those of this project, in this process, on memory. */
import { createServer, type RequestListener } from 'node:http';
import { type EhrConfig, readEhrConfig } from '#ehr-server/config.ts';
import { createHandler as createEhrHandler } from '#ehr-server/handle.ts';
import { httpListener as ehrListener } from '#ehr-server/http.ts';
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import type { LocalMis } from '#ehr-server/mis/mis.ts';
import { memoryStore as ehrStore } from '#ehr-server/store/memory.ts';
import { type AuthConfig, readAuthConfig } from '#mock-auth-server/config.ts';
import { createHandler as createAuthHandler } from '#mock-auth-server/handle.ts';
import { httpListener as authListener } from '#mock-auth-server/http.ts';
import { openInMemory } from '#mock-auth-server/in-memory.ts';
import { messagesTo } from '#mock-auth-server/outbox/outbox.ts';
import { CODE_DIGITS } from '#protocol/limits.ts';
import { onText, type Pipeline, type RequestBody } from '#protocol/methods/pipeline.ts';
import type { MovableClock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { isMalformed, isObject } from '#protocol/wire/envelope.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { writeJson } from '#protocol/wire/json.ts';
import { createLog } from '#service/process/log.ts';
import { bindServer } from '../../../engine/wire/bind.ts';
import { people } from '../people/people.ts';
import { type Callee, EHR_METHODS } from './calls.ts';

export type Servers = {
  readonly authUrl: string;
  readonly ehrUrl: string;
  readonly clock: MovableClock;
  code(phone: string): string | undefined;
  changeRecord(record: Patient): void;
  /** As another device would. Where `session` is over, the kit signs in again, with the signature `sign`. */
  disconnect(link: {
    phone: string;
    session: SessionCred | undefined;
    sign: string | undefined;
  }): Promise<void>;
  reset(): void;
  close(): Promise<void>;
};

type SessionCred = { user: string; token: string };

export const INTERNAL = { user: 'client-test-internal', password: 'client-test password' };
export const VERSION = '1.0-alpha';

/** No host has this name: the authorization server reaches the EHR server inside this process. */
const EHR_URL = 'http://ehr.invalid';
/** A new code may be asked for at once (0 s). */
const ENV = {
  EHR_INTERNAL_USER: INTERNAL.user,
  EHR_INTERNAL_PASSWORD: INTERNAL.password,
  // Which properties are required is open, too.
  EHR_MATCHING_REQUIRED: 'surname,date,phone',
  AUTH_EHR_URL: EHR_URL,
  AUTH_OTP_RESEND_AFTER: '0',
};
const EHR_CONFIG = readEhrConfig([], ENV) as EhrConfig;
const AUTH_CONFIG = readAuthConfig([], ENV) as AuthConfig;
/** Codes for one phone in a day: more than any scenario asks for, so that the limit is never met. */
const MAX_CODES_PER_DAY = 1_000;

type State = {
  pipelines: Readonly<Record<Callee, Pipeline>>;
  listeners: Readonly<Record<Callee, RequestListener>>;
  code: (phone: string) => string | undefined;
  changed: Map<string, Patient>;
};

export async function openServers(clock: MovableClock, random: Random): Promise<Servers> {
  let state = open(clock, random);
  const serve = (which: Callee) =>
    bindServer(
      createServer((request, response) => state.listeners[which](request, response)),
      '127.0.0.1',
      0,
    );
  const [ehr, auth] = await Promise.all([serve('ehr'), serve('auth')]);
  return {
    authUrl: auth.url,
    ehrUrl: ehr.url,
    clock,
    code: (phone) => state.code(phone),
    changeRecord: (record) => void state.changed.set(record.id, record),
    async disconnect({ phone, session, sign }) {
      const { pipelines } = state;
      const disconnectBy = (by: SessionCred | undefined) =>
        callOf(pipelines.ehr, EHR_METHODS.disconnect, {}, by);
      if (await disconnectBy(session)) return;
      await callOf(pipelines.auth, 'auth.request_otp', { phone });
      // Where the client has not reported the link, the signature opens the session at the EHR server.
      const given = { phone, code: state.code(phone), ...(sign !== undefined && { ehr_user_sign: sign }) };
      const confirmed = await callOf(pipelines.auth, 'auth.confirm_otp', given);
      await disconnectBy(confirmed?.authInfo);
    },
    reset() {
      state = open(clock, random);
    },
    async close() {
      await Promise.all([ehr.stop(), auth.stop()]);
    },
  };
}

/** Calls a method as another device, and returns the result. */
async function callOf(
  pipeline: Pipeline,
  method: string,
  params: object,
  by?: SessionCred,
): Promise<{ authInfo?: SessionCred } | undefined> {
  const cred = by && { user: by.user, token: by.token };
  const text = JSON.stringify({ jsonrpc: '2.0', id: 'elsewhere', method, params, cred });
  const { body = '{}' } = await onText(pipeline)(text, 'public');
  return JSON.parse(body).result;
}

/** Faults inside the servers are not reported: the client sees them as internal errors. */
const unreported = () => undefined;

function open(clock: MovableClock, random: Random): State {
  const records = createMemoryMis(Object.values(people).map(({ patient }) => patient));
  const changed = new Map<string, Patient>();
  const mis: LocalMis = {
    ...records,
    get: (id) => changed.get(id) ?? records.get(id),
    record: (id) => (changed.has(id) ? writeJson(changed.get(id)) : records.record(id)),
  };
  const ehrParts = { store: ehrStore({ audit: false }), mis, clock, random, config: EHR_CONFIG };
  const ehr = withAnyGender(createEhrHandler(ehrParts, unreported));
  const context = openInMemory({
    ...{ clock, random: withLeadingZero(random), config: AUTH_CONFIG, internal: INTERNAL },
    ehr: { url: EHR_URL, apiVersion: '', fetch: fetchOf(ehr) },
    codesPerDay: MAX_CODES_PER_DAY,
  });
  const { outbox } = context;
  const auth = createAuthHandler(context, unreported);
  const log = createLog('client-test', 'silent');
  const ready = async () => undefined;
  return {
    pipelines: { ehr, auth },
    listeners: {
      ehr: ehrListener({ config: EHR_CONFIG, pipeline: ehr, channel: 'public', log, ready }),
      auth: authListener({ config: AUTH_CONFIG, pipeline: auth, outbox, log, ready: unreported }),
    },
    code: (phone) => messagesTo(outbox, phone)[0]?.code,
    changed,
  };
}

/** The interface shows no codes of the gender: a client with others must find its patient, too. */
const withAnyGender =
  (pipeline: Pipeline): Pipeline =>
  (request, channel) =>
    pipeline({ ...request, calls: request.calls.map(withoutCode) }, channel);

function withoutCode(call: RequestBody['calls'][number]): typeof call {
  if (isMalformed(call) || Array.isArray(call.params)) return call;
  const { patientProperties: properties } = call.params;
  if (!isObject(properties) || !Number.isInteger(properties.gender)) return call;
  const { gender: _, ...others } = properties;
  return { ...call, params: { ...call.params, patientProperties: others } };
}

/** A client that takes a code for a number loses the 0. Codes alone have this length. */
const withLeadingZero =
  (random: Random): Random =>
  (length) => {
    const bytes = random(length);
    if (bytes.length === CODE_DIGITS) bytes[0] = 0;
    return bytes;
  };

/** A `fetch` for the internal channel of an EHR server in this process. */
const fetchOf = (pipeline: Pipeline): typeof fetch => {
  const answer = onText(pipeline);
  return async (_url, init) => new Response((await answer(String(init?.body), 'internal')).body);
};
