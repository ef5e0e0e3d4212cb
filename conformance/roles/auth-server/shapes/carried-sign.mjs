/**
 * A plain authorization server on which the kit proves its checks, built as many public ones are: JSON-RPC
 * 2.0, a sign-in in which the client sends its user_sign (hence the name), no report of a link, no logout, no
 * deletion. The server keeps no user_sign. It is right unless a fault is switched on by name, and uses only
 * Node's modules.
 *
 * Environment: PORT, CONTROL_PORT, EHR_URL, EHR_API_VERSION, EHR_USER, EHR_PASSWORD, EHR_TIMEOUT_MS, SMS_URL,
 * NOT_MEMBERS (separated by commas), OTP_LIFETIME_SECONDS, RESEND_SECONDS, CODES_PER_DAY, SESSION_MINUTES,
 * STATE_FILE, FAULTS (separated by commas).
 */
import { randomBytes, randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { AuthServer } from './carried-sign/auth-server.mjs';
import { EhrCaller } from './carried-sign/ehr-caller.mjs';
import { controlAnswer, listen, rpcAnswer } from './carried-sign/http.mjs';
import { Memory } from './carried-sign/memory.mjs';
import { startFromEnvironment, withDefaults } from './settings.mjs';

/**
 * Starts the server. `faults` are the names of wrong behaviours to switch on; the code asks for each by
 * `fault(name)`. `random` replaces how codes, tokens and user names are drawn.
 */
export async function startServer({ faults = [], now = Date.now, random, ...given } = {}) {
  const settings = { ...withDefaults(given), fault: (name) => faults.includes(name) };
  const memory = new Memory(settings);
  const draw = {
    code: () => String(randomInt(1_000_000)).padStart(6, '0'),
    token: () => randomBytes(32).toString('base64url'),
    ...random,
  };
  const ehr = new EhrCaller(settings);
  // Only the fault that kills the server calls it; `close` is defined by then.
  settings.die = () => close();
  const auth = new AuthServer({ settings, memory, ehr, draw, now: () => now() + memory.ahead });
  const servers = [await listen(settings.port, (request) => rpcAnswer(auth, request), settings)];
  if (settings.controlPort !== undefined)
    servers.push(await listen(settings.controlPort, (request) => controlAnswer(memory, request)));
  const [port, controlPort] = servers.map((server) => server.address().port);
  const close = async () => {
    ehr.close();
    memory.close();
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
  };
  return { port, controlPort, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await startFromEnvironment(startServer);
