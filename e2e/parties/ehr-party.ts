/** The EHR server of a run: this project's own in this process, or the one that a file describes. */
import type { Env } from '#conformance/engine/party/file/fields.ts';
import { openEhrRun } from '#conformance/roles/ehr-server/run.ts';
import { serveEhr } from '#conformance/roles/ehr-server/self-test/serve.ts';
import type { EhrSettings, KnownPerson, LoadedEhrFile } from '#conformance/roles/ehr-server/settings.ts';
import { personas, type TypedProperties } from '#mis-fixtures/personas.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { callText } from '#protocol/wire/envelope.ts';

export type EhrParty = {
  readonly name: string;
  readonly publicUrl: string;
  readonly internalUrl: string;
  readonly internal: { readonly user: string; readonly password: string };
  readonly people: Pick<EhrSettings['people'], 'matching' | 'ambiguous'>;
  readonly ttlUnit: EhrSettings['ttlUnit'];
  /** Moves its clock forward, in milliseconds. Absent: it cannot be moved. */
  readonly advance: ((ms: number) => Promise<void>) | undefined;
  /** Stops it and starts it again with its state. Absent: that cannot be done, or would lose the state. */
  readonly restart: (() => Promise<void>) | undefined;
  close(): Promise<void>;
};

type EhrPartyParts = {
  clock: Clock;
  random: Random;
  env: Env;
  signal: AbortSignal;
  /** Of the page of a client in a browser, which may call our own EHR server. */
  clientOrigin: string | undefined;
};

/** @param internal the credentials of the authorization server, which our own EHR server takes */
export async function openEhrParty(
  loaded: LoadedEhrFile | undefined,
  internal: EhrParty['internal'],
  parts: EhrPartyParts,
): Promise<EhrParty> {
  return loaded ? openFromFile(loaded, parts) : openOwn(internal, parts.clientOrigin);
}

async function openFromFile(loaded: LoadedEhrFile, parts: EhrPartyParts): Promise<EhrParty> {
  const run = await openEhrRun({ loaded, ...parts, seed: 1, slow: false });
  const { settings, publicUrl, internalUrl, canAdvance, advance, restart } = run.parts;
  const { start } = settings.server;
  const canRestart =
    settings.control.restart !== undefined || (start !== undefined && start.keeps !== 'memory');
  return {
    name: settings.name,
    publicUrl,
    internalUrl,
    internal: settings.internal,
    people: settings.people,
    ttlUnit: settings.ttlUnit,
    advance: canAdvance ? advance : undefined,
    restart: canRestart ? restart : undefined,
    close: run.close,
  };
}

async function openOwn(internal: EhrParty['internal'], clientOrigin: string | undefined): Promise<EhrParty> {
  const secret = { internalUser: internal.user, internalPassword: internal.password };
  const served = await serveEhr({ parts: ({ rules }) => ({ rules: { ...rules, ...secret } }) }, clientOrigin);
  return {
    name: 'our EHR server',
    publicUrl: served.url,
    internalUrl: served.internalUrl,
    internal,
    people: ownPeople,
    ttlUnit: 'minutes',
    advance: served.control.advance,
    restart: served.control.restart,
    close: served.close,
  };
}

const { anna, twins, alyoshin, nunez, rufus, boris, namesakes } = personas;

export const ownPeople: EhrParty['people'] = {
  matching: [anna, twins, alyoshin, nunez, rufus, boris].flatMap(({ typed }) => typed.map(personOf)),
  ambiguous: personOf(namesakes.typed[0]),
};

function personOf({ date, ...typed }: TypedProperties): KnownPerson {
  return { ...typed, date: date.slice(0, 10) };
}

/**
 * The settings by which our authorization server calls another EHR server through the proxy at `proxyOrigin`.
 * It adds the version to the URL, so the path of the internal URL is split at its last segment.
 */
export function endpointSettings(proxyOrigin: string, internalUrl: string): Record<string, string> {
  const [, path = '', version = ''] = /^(.*?)\/([^/]*)\/?$/.exec(new URL(internalUrl).pathname) ?? [];
  return { AUTH_EHR_URL: proxyOrigin + path, AUTH_API_VERSION: version };
}

/** Makes one call. Returns whether the EHR server did it. */
export async function callEhr(
  url: string,
  method: string,
  params: object,
  cred: { user: string; token: string },
): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: callText({ id: 1, method, params, cred }),
    });
    return 'result' in ((await response.json()) as object);
  } catch {
    // A server that is down or answers nonsense has done nothing.
    return false;
  }
}
