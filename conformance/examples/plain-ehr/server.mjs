#!/usr/bin/env node
/**
 * An EHR server of the Embedded EHR Storage Interface in plain JavaScript, without dependencies. `ehr.mjs`
 * has the methods, `matching.mjs` the search for a patient, `json-rpc.mjs` the messages, `http.mjs` their
 * transport. A § number is a paragraph of the interface. The server keeps everything in memory, until the
 * program ends.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Ehr } from './ehr.mjs';
import { endpoint, listen } from './http.mjs';
import { answer } from './json-rpc.mjs';

const HELP = `Usage: EHR_INTERNAL_USER=… EHR_INTERNAL_PASSWORD=… node server.mjs --patients FILE [options]

  --patients FILE        JSON list of patient records, in the form of the interface
  --port N               public endpoint; 0 takes a free port (default 4100)
  --internal-port N      the two save methods on a port of their own; absent: one endpoint serves all
  --api-version LABEL    version segment of the path; may be empty (default 1.0-alpha)
  --origins LIST         web origins that may call, separated by commas
  --control-port N       for tests: POST /clock/advance {"milliseconds": N}, and POST /reset
`;

/**
 * Runs the server until SIGTERM or SIGINT. `alter` changes the server before it starts: `faulty.mjs` puts
 * faults into it.
 */
export async function run(alter) {
  const flags = readFlags();
  const internal = { user: process.env.EHR_INTERNAL_USER, password: process.env.EHR_INTERNAL_PASSWORD };
  if (flags.help) end(0, HELP);
  if (!flags.patients || !internal.user || !internal.password)
    end(2, `--patients, EHR_INTERNAL_USER and EHR_INTERNAL_PASSWORD are needed.\n${HELP}`);
  const clock = { aheadMs: 0 };
  const ehr = new Ehr(
    JSON.parse(readFileSync(flags.patients, 'utf8')),
    internal,
    () => Date.now() + clock.aheadMs,
  );
  alter?.(ehr);
  const serve = (channel, origins) =>
    endpoint(flags['api-version'], origins, (body) => answer(body, (call) => ehr.execute(call, channel)));
  const listeners = [
    ['ready at', serve(flags['internal-port'] ? 'public' : 'both', flags.origins.split(',')), flags.port],
    // The internal channel is for the authorization server (§1), so no web page may call it.
    ['internal methods at', serve('internal', []), flags['internal-port']],
    ['control at', (request, response) => control(request, response, ehr, clock), flags['control-port']],
  ];
  const open = [];
  for (const [title, handler, port] of listeners)
    if (port) open.push({ title, ...(await listen(handler, port)) });
  process.stdout.write(`${open.map(({ title, url }) => `${title} ${url}`).join(', ')}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.once(signal, () => open.forEach(({ server }) => void server.close()));
}

/** Serves the control port, for tests: moves the clock, or forgets everything but the patients. */
async function control(request, response, ehr, clock) {
  const body = Buffer.concat(await request.toArray()).toString();
  if (request.url === '/clock/advance') clock.aheadMs += JSON.parse(body).milliseconds;
  else if (request.url === '/reset') ehr.reset();
  else return response.writeHead(404).end();
  return response.writeHead(204).end();
}

/** Reads the flags of the command line; a mistake in them ends the program. */
function readFlags() {
  const names = ['patients', 'port', 'internal-port', 'api-version', 'origins', 'control-port'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string', default: '' }]));
  options.port.default = '4100';
  options['api-version'].default = '1.0-alpha';
  try {
    return parseArgs({ options: { ...options, help: { type: 'boolean' } } }).values;
  } catch (error) {
    return end(2, `${error.message}\n${HELP}`);
  }
}

function end(code, text) {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}

// Runs only as a program, not when another file imports it.
if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await run();
