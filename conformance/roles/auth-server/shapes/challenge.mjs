/**
 * A plain authorization server on which the kit proves its checks, built in another way than the mock: REST;
 * each code belongs to a challenge, a random key that the client gets when it requests the code; only
 * registered phones; and a bearer token for its own routes apart from the token for the EHR server. It is
 * right unless a fault is switched on by name, and uses only Node's modules.
 *
 * Environment: PORT, CONTROL_PORT, EHR_URL, EHR_API_VERSION, EHR_USER, EHR_PASSWORD, EHR_TIMEOUT_MS, SMS_URL,
 * PHONES and NOT_MEMBERS (separated by commas; in a phone of PHONES every # is any digit),
 * OTP_LIFETIME_SECONDS, RESEND_SECONDS, CODES_PER_DAY, SESSION_MINUTES, STATE_FILE, FAULTS (separated by
 * commas).
 */
import { randomBytes, randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { digestOf, MINUTE_MS } from './challenge/common.mjs';
import { answerClient, answerControl, listen } from './challenge/http.mjs';
import { loadState } from './challenge/state.mjs';
import { startFromEnvironment, withDefaults } from './settings.mjs';

/**
 * Starts the server. `faults` are the names of wrong behaviours to switch on; the code asks for each by
 * `fault(name)`. `random` replaces how codes, tokens and account ids are drawn.
 */
export async function startServer({ faults = [], now = Date.now, random, ...given } = {}) {
  const fault = (name) => faults.includes(name);
  // State of faults alone: numbers that count up where a right server draws.
  const counters = { codes: 0, calls: 0, tokens: 0, rand: 90_210_417 };
  const drawn = {
    code: () => String(randomInt(1_000_000)).padStart(6, '0'),
    token: () => randomBytes(32).toString('base64url'),
    ...random,
  };
  const counted = { ...drawn, token: () => `token-${String(++counters.tokens).padStart(26, '0')}` };
  const hashed = { ...drawn, token: () => digestOf(String(++counters.tokens)).toString('base64url') };
  const options = withDefaults({ ...given, phones: given.phones ?? [] });
  const state = loadState(options.stateFile);
  const ahead = () => state.clock.get('ahead') ?? 0;
  if (fault('sessions-renewed-at-start'))
    for (const session of state.sessions.values())
      session.until = now() + ahead() + options.sessionMinutes * MINUTE_MS;
  // What every part of the server is given. `busy`: challenges under confirmation; `unstored`: what a fault
  // keeps in the state file although it was removed.
  const app = {
    ...{ options, state, fault, counters, ahead, now: () => now() + ahead() },
    ...{
      random: fault('tokens-counting') ? counted : fault('tokens-hash-of-counter') ? hashed : drawn,
      busy: new Set(),
      unstored: { sessions: [], challenges: [] },
      revivable: [],
    },
    send: options.sends?.(fetch) ?? fetch,
    endpoint: `${options.ehrUrl.replace(/\/+$/, '')}/${options.apiVersion}/`,
    closing: new AbortController(),
  };
  const servers = [await listen(app, options.port, answerClient)];
  if (options.controlPort !== undefined) servers.push(await listen(app, options.controlPort, answerControl));
  const [port, controlPort] = servers.map((server) => server.address().port);
  const close = async () => {
    app.closing.abort(new Error('The server stops.'));
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
  };
  app.die = close;
  return { port, controlPort, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await startFromEnvironment(startServer);
