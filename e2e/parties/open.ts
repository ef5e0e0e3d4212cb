/** Opens the three parties of a run, with the kit's recording proxies between them. */
import type { Recorder } from '#conformance/engine/journal/recorder.ts';
import type { Env } from '#conformance/engine/party/file/fields.ts';
import { AdapterFileError } from '#conformance/engine/party/file/problem.ts';
import { choosePorts, ServerStartError } from '#conformance/engine/party/process/server-process.ts';
import { fill } from '#conformance/engine/party/requests/template.ts';
import type { LoadedAdapter } from '#conformance/roles/auth-server/adapter/file/load.ts';
import type { Ask } from '#conformance/roles/auth-server/adapter/otp/source.ts';
import type { AuthVariant } from '#conformance/roles/auth-server/defects/defect.ts';
import { type OpenRun, openRun } from '#conformance/roles/auth-server/run.ts';
import { serveMock } from '#conformance/roles/auth-server/self-test/serve-mock.ts';
import type { ClientDriver } from '#conformance/roles/client/drivers/driver.ts';
import { openDrivers } from '#conformance/roles/client/run.ts';
import { personas } from '#mis-fixtures/personas.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { sqliteProblem } from '#service/sqlite.ts';
import { Calls, type FlawOf } from '#testing/recording/calls.ts';
import { isSpokenDirectly, openBridge } from './bridge.ts';
import { type EhrParty, endpointSettings, openEhrParty } from './ehr-party.ts';
import type { LoadedParties } from './load.ts';
import { startOwnClient } from './own-client.ts';

/** The authorization server of a run. What it cannot do is absent. */
export type AuthParty = {
  readonly name: string;
  /** A phone that no earlier call returned; the list starts again where the file names few. */
  nextPhone(): string;
  readonly phoneWithoutEntry: string | undefined;
  /** Whether codes can be learned without a person. */
  readonly tellsCodes: boolean;
  messagesTo(phone: string): Promise<number>;
  /** The code sent after the first `since` messages. */
  codeFor(phone: string, since: number): Promise<string | undefined>;
  readonly resendAfterSeconds: number;
  readonly advance: ((ms: number) => Promise<void>) | undefined;
  readonly restart: (() => Promise<void>) | undefined;
  readonly removeEntry: ((phone: string) => Promise<void>) | undefined;
};

export type ClientParty = {
  readonly name: string;
  /** Starts the application on a device. `storage` is a file in which it may keep what survives a restart. */
  start(storage: string): Promise<ClientDriver>;
};

export type Wire = 'client->auth' | 'client->ehr' | 'auth->ehr';

export type Parties = {
  readonly client: ClientParty;
  readonly auth: AuthParty;
  readonly ehr: EhrParty;
  /** Whether the calls between the two servers cross a wire. */
  readonly seesInternal: boolean;
  readonly recorder: Recorder;
  readonly calls: Calls;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Breaks every connection of a wire from now on, as if the server were gone; or ends that. */
  cut(wire: Wire, isCut: boolean): void;
  close(): Promise<void>;
};

export type PartiesParts = {
  clock: Clock;
  random: Random;
  env: Env;
  signal: AbortSignal;
  tell: (sentence: string) => void;
  ask: Ask;
  /** What breaks the contract in a message. Only our own parties are held to all of it. */
  flawOf?: FlawOf;
};

/** @throws PartyStartError when a party does not start, or a port cannot be had */
export async function openParties(loaded: LoadedParties, parts: PartiesParts): Promise<Parties> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const { port: pagePort, clientOrigin } = await choosePage(loaded);
    const { run, ...opened } = await openServers(loaded, { ...parts, clientOrigin }, closers);
    const { recorder, proxies } = run.bed;
    const calls = new Calls(recorder, parts.flawOf);
    proxies.authToEhr.retarget(opened.ehr.internalUrl);
    proxies.clientToEhr.retarget(opened.ehr.publicUrl);
    const isDirect = isSpokenDirectly(loaded.auth.loaded);
    const bridge = isDirect
      ? undefined
      : await openBridge({ adapter: run.adapter, recorder, calls, ...parts });
    if (bridge) closers.push(bridge.stop);
    const cuts = { 'client->auth': bridge ?? proxies.clientToAuth, 'client->ehr': proxies.clientToEhr };
    const wires = { ...cuts, 'auth->ehr': proxies.authToEhr };
    const path = new URL(run.adapter.settings.server.url).pathname.replace(/\/+$/, '');
    const authUrl = bridge?.url ?? proxies.clientToAuth.url + path;
    const addresses = { authUrl, ehrUrl: proxies.clientToEhr.url, pagePort };
    const client = await openClient(loaded, { ...addresses, ehr: opened.ehr, recorder }, parts);
    if (client.close) closers.push(client.close);
    return {
      ...opened,
      ...{ client, recorder, calls, clock: parts.clock, signal: parts.signal },
      cut(wire, isCut) {
        recorder.note(`The way from ${wire.replace('->', ' to ')} is ${isCut ? 'cut' : 'open again'}.`);
        wires[wire].cut(isCut);
      },
      close,
    };
  } catch (error) {
    await close();
    throw asStartError(error);
  }
}

/** Chooses the port of a page that the kit starts before our own servers, which let its origin call. */
async function choosePage({ client }: LoadedParties): Promise<{ port: number; clientOrigin?: string }> {
  const { browser, ports } = client?.settings ?? {};
  const { page = 0 } = await choosePorts({ page: ports?.page ?? 0 });
  return {
    port: page,
    ...(browser && { clientOrigin: new URL(fill(browser.address, { port: String(page) }) ?? '').origin }),
  };
}

type ServersParts = PartiesParts & { clientOrigin: string | undefined };

type Servers = Pick<Parties, 'ehr' | 'auth' | 'seesInternal'> & { run: OpenRun };

async function openServers(
  { auth: about, ehr: ehrFile, pair }: LoadedParties,
  parts: ServersParts,
  closers: (() => Promise<unknown>)[],
): Promise<Servers> {
  const { internal } = about.loaded.settings;
  if (pair) {
    const { openMswPair } = await loadMswPair();
    const { ehr, authUrl, advanceAuth } = await openMswPair(internal, parts);
    closers.push(ehr.close);
    const run = await openAuthRun({ loaded: runningAt(authUrl, about.loaded), isOwn: false }, ehr, parts);
    closers.push(run.close);
    const name = 'our authorization server, as handlers for msw';
    const auth = { ...authOf(about, run, parts), name, advance: advanceAuth };
    return { ehr, run, auth, seesInternal: false };
  }
  const ehr = await openEhrParty(ehrFile, internal, parts);
  closers.push(ehr.close);
  const run = await openAuthRun(about, ehr, parts);
  closers.push(run.close);
  return { ehr, run, auth: authOf(about, run, parts), seesInternal: true };
}

/** A server that runs already, and has no control port. */
function runningAt(url: string, loaded: LoadedAdapter): LoadedAdapter {
  const { start: _start, ...server } = loaded.settings.server;
  const { removeCorrespondence: _remove, advanceClock: _advance, ...steps } = loaded.settings.steps;
  const people = { ...loaded.settings.people, withoutCorrespondence: personas.orphan.signIn };
  return { ...loaded, settings: { ...loaded.settings, server: { ...server, url }, steps, people } };
}

/** The kit's own set-up for an authorization server; its EHR server is replaced afterwards. */
function openAuthRun(
  { loaded, isOwn }: LoadedParties['auth'],
  { people, internal, internalUrl }: EhrParty,
  { clock, env, signal, tell, ask, clientOrigin }: ServersParts,
): Promise<OpenRun> {
  const patientData = new Map(
    [...people.matching, ...(people.ambiguous ? [people.ambiguous] : [])].flatMap(({ surname, date }) => [
      [surname, 'surname'] as const,
      [date, 'date of birth'] as const,
    ]),
  );
  const serve = (ehrUrl: string) => {
    const secret = { EHR_INTERNAL_USER: internal.user, EHR_INTERNAL_PASSWORD: internal.password };
    const env = {
      ...secret,
      ...(sqliteProblem() !== undefined && { AUTH_DATABASE: ':memory:' }),
      AUTH_EHR_TIMEOUT: String(EHR_TIMEOUT_MS),
      AUTH_ORIGINS: clientOrigin ?? '',
      ...endpointSettings(ehrUrl, internalUrl),
    };
    const ours: AuthVariant = { id: 'ours', title: 'Our authorization server', env };
    return serveMock(ours, { ehrUrl, clock, seed: 0 });
  };
  return openRun({ loaded, clock, seed: 1, env, signal, tell, ask, patientData, ...(isOwn && { serve }) });
}

function authOf(
  { isOwn }: LoadedParties['auth'],
  { adapter, driver: { server, keepsOverRestart } }: OpenRun,
  { signal }: PartiesParts,
): AuthParty {
  let phones = 0;
  const { name, otp, people } = adapter.settings;
  const isInMemory = isOwn && sqliteProblem() !== undefined;
  const perform = async (step: 'advanceClock' | 'removeCorrespondence', input: Record<string, string>) => {
    const { kind } = await adapter.perform(step, input, signal);
    if (kind !== 'done') throw new Error(`The step ${step} of ${name} did not succeed (${kind}).`);
  };
  return {
    name: isOwn ? `our authorization server${isInMemory ? ', in memory' : ''}` : name,
    nextPhone: () => adapter.phone(phones++ % adapter.phoneCount),
    phoneWithoutEntry: people.withoutCorrespondence,
    tellsCodes: otp?.ask === undefined && !adapter.isManual,
    messagesTo: adapter.messagesTo,
    codeFor: async (phone, since) =>
      adapter.has('requestOtp') ? adapter.codeFor(phone, since, CODE_WAIT_MS) : NO_CODE_NEEDED,
    resendAfterSeconds: adapter.has('requestOtp') ? (otp?.resendAfterSeconds ?? 0) : 0,
    advance: adapter.has('advanceClock')
      ? (ms) => perform('advanceClock', { milliseconds: String(ms) })
      : undefined,
    restart: server.canRestart && keepsOverRestart && !isInMemory ? () => server.restart() : undefined,
    removeEntry: adapter.has('removeCorrespondence')
      ? (phone) => perform('removeCorrespondence', { phone })
      : undefined,
  };
}

/** No flow makes a server wait for so long, however busy the machine. */
const EHR_TIMEOUT_MS = 10_000;
const CODE_WAIT_MS = 10_000;
const NO_CODE_NEEDED = '000000';

type Addresses = { authUrl: string; ehrUrl: string; pagePort: number; ehr: EhrParty; recorder: Recorder };

async function openClient(
  { client }: LoadedParties,
  { authUrl, ehrUrl, pagePort, ehr, recorder }: Addresses,
  { clock, env, signal }: PartiesParts,
): Promise<ClientParty & { close?: () => Promise<void> }> {
  if (client) {
    const { name, timeouts } = client.settings;
    const { start, close } = await openDrivers(client.settings, {
      ...{ authUrl, ehrUrl, port: pagePort, timeouts, clock, env, signal },
      mask: (text) => recorder.knowledge.pseudonyms.mask(text),
    });
    return { name, start, close };
  }
  const apiVersion = new URL(ehr.publicUrl).pathname.replace(/^\/|\/$/g, '');
  const config = { authUrl, ehrUrl, apiVersion, ttlUnit: ehr.ttlUnit };
  return { name: 'our web client, without its page', start: async () => startOwnClient(config, clock) };
}

/** A party does not start. The message says why, and what to do. */
export class PartyStartError extends Error {
  override name = 'PartyStartError';
}

function asStartError(error: unknown): unknown {
  const isOfSetUp =
    error instanceof ServerStartError ||
    error instanceof AdapterFileError ||
    String(error).includes('Failed to listen');
  return isOfSetUp ? new PartyStartError((error as Error).message, { cause: error }) : error;
}

/** @throws PartyStartError when msw is not installed, which no other party needs */
async function loadMswPair() {
  try {
    return await import('./msw-pair.ts');
  } catch (cause) {
    if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes((cause as { code: string }).code)) throw cause;
    const message = 'The handlers for msw need msw, which is not installed: npm install msw';
    throw new PartyStartError(message, { cause });
  }
}
