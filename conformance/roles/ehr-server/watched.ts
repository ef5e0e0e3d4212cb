/** A watched session of an EHR server: recording proxies stand before both of its channels. */

import { rmSync } from 'node:fs';
import type { Clock } from '#protocol/time/clock.ts';
import { temporaryDirectory } from '#service/process/writing.ts';
import { WATCHED, type Watched, type WatchPorts } from '../../engine/cli/watched.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { Recorder } from '../../engine/journal/recorder.ts';
import { metaOf } from '../../engine/journal/run-meta.ts';
import { Knowledge } from '../../engine/journal/secrets/knowledge.ts';
import type { Env } from '../../engine/party/file/env.ts';
import { type RecordingProxy, startProxy } from '../../engine/wire/proxy.ts';
import { configurationOf } from './public-configuration.ts';
import { everybodyIn, filledSettings, patientData, supervised } from './server-of-file.ts';
import type { LoadedEhrFile } from './settings.ts';
import { Belongings } from './world/belongings.ts';
import { REPLIES_SEARCHED } from './world/world.ts';

export type WatchedEhrOptions = {
  loaded: LoadedEhrFile;
  clock: Clock;
  seed: number;
  env: Env;
  /** Ends the start early. */
  signal: AbortSignal;
  ports: Pick<WatchPorts, 'clientToEhr' | 'authToEhr'>;
};

/**
 * Starts the server, where the file says how, and the proxies before it.
 * @throws ServerStartError, or Error that names a port which cannot be had
 */
export async function openWatchedEhr({ ports, ...options }: WatchedEhrOptions): Promise<Watched> {
  const { clock, seed } = options;
  const settings = await filledSettings(options.loaded.settings);
  const startedAt = new Date(clock.now()).toISOString();
  const { internal, server: about, internalUrl = about.url } = settings;
  const recorder = new Recorder(
    clock,
    new Knowledge(internal.user, internal.password, patientData(settings)),
  );
  const folder = temporaryDirectory('ehr-conformance-');
  const server = supervised({ ...options, loaded: { ...options.loaded, settings } }, recorder, folder);
  const proxies: RecordingProxy[] = [];
  const close = async () => {
    recorder.stop();
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const before = async (link: 'client->ehr' | 'auth->ehr', url: string, port: number) => {
    const proxy = await startProxy({ link, target: new URL(url).origin, port, recorder, clock });
    proxies.push(proxy);
    return proxy.url + new URL(url).pathname;
  };
  try {
    await server.open();
    const forClients = await before('client->ehr', about.url, ports.clientToEhr);
    const forAuthServer = await before('auth->ehr', internalUrl, ports.authToEhr);
    searchReplies(recorder, new Belongings(everybodyIn(settings), internal.password));
    return {
      recorder,
      instructions: `Watching ${settings.name}.
  Your client's EHR endpoint:                        ${forClients}
  Your authorization server's EHR endpoint:          ${forAuthServer}
Use your own app now, as one of the patients whom your server knows.
Ctrl-C ends the session and writes the report.`,
      meta: metaOf({
        startedAt,
        seed,
        role: 'ehr-server',
        target: settings.name,
        configuration: configurationOf(settings),
        canAdvanceClock: false,
      }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Searches each reply for what belongs to others, as it comes. */
function searchReplies(recorder: Recorder, belongings: Belongings): void {
  recorder.onEntry((entry: Entry) => {
    if (entry.kind !== 'exchange' || !entry.response) return;
    const { request, response, facts, seq } = entry;
    const { status, headers, body: text } = response;
    const step = facts.call?.method ?? 'a message';
    const answer = { kind: 'answer' as const, status, headers: new Headers(headers), text };
    belongings.examine({ scenario: `${seq}`, label: step }, request.body, answer);
    const { searched, told } = belongings.taken(`${seq}`);
    recorder.observation(
      { scenario: WATCHED, label: REPLIES_SEARCHED },
      { searched, told: told?.what ?? '', step, seq },
    );
  });
}
