/**
 * Opens a watched session of an EHR server: a person uses their own app, while a recording proxy before each
 * of the server's two channels (public, internal) records the messages.
 */

import { WATCHED, type Watched, type WatchPorts } from '../../engine/cli/watched.ts';
import type { Recorder } from '../../engine/journal/recorder.ts';
import { type RecordingProxy, startProxy } from '../../engine/wire/proxy.ts';
import { openEhrUnderTest, type ServingOptions } from './server-of-file.ts';
import type { Belongings } from './world/belongings.ts';
import { REPLIES_SEARCHED } from './world/world.ts';

/**
 * Starts the server, where the file says how, and both proxies.
 * @throws ServerStartError, or Error that names a port which cannot be had
 */
export async function openWatchedEhr(
  options: ServingOptions & { ports: Pick<WatchPorts, 'clientToEhr' | 'authToEhr'> },
): Promise<Watched> {
  const { clock, ports } = options;
  const ehr = await openEhrUnderTest(options);
  const { settings, recorder } = ehr;
  const proxies: RecordingProxy[] = [];
  const close = async () => {
    recorder.stop();
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await ehr.close();
  };
  // Starts a proxy before an endpoint. Returns the address that the caller must use instead of the endpoint.
  const before = async (link: 'client->ehr' | 'auth->ehr', url: string, port: number) => {
    const proxy = await startProxy({ link, target: new URL(url).origin, port, recorder, clock });
    proxies.push(proxy);
    return proxy.url + new URL(url).pathname;
  };
  try {
    const { url } = settings.server;
    const forClients = await before('client->ehr', url, ports.clientToEhr);
    const forAuthServer = await before('auth->ehr', settings.internalUrl ?? url, ports.authToEhr);
    searchReplies(recorder, ehr.belongings);
    return {
      recorder,
      instructions: `Watching ${settings.name}.
  Your client's EHR endpoint:                        ${forClients}
  Your authorization server's EHR endpoint:          ${forAuthServer}
Use your own app now, as one of the patients whom your server knows.
Ctrl-C ends the session and writes the report.`,
      meta: ehr.metaWith({ canAdvanceClock: false }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Searches each reply for what belongs to another user, as soon as the journal has it, and records the
 * result.
 */
function searchReplies(recorder: Recorder, belongings: Belongings): void {
  recorder.onEntry((entry) => {
    if (entry.kind !== 'exchange' || !entry.response) return;
    const { request, response, facts, seq } = entry;
    const { status, headers, body: text } = response;
    const step = facts.call?.method ?? 'a message';
    const answer = { kind: 'answer' as const, status, headers: new Headers(headers), text };
    // No scenario is played. The number of the message takes its place, so that each is counted by itself.
    belongings.examine({ scenario: `${seq}`, label: step }, request.body, answer);
    const { searched, told } = belongings.taken(`${seq}`);
    recorder.observation(
      { scenario: WATCHED, label: REPLIES_SEARCHED },
      { searched, told: told?.what ?? '', step, seq },
    );
  });
}
