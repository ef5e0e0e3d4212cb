#!/usr/bin/env node
/**
 * An EHR server of the Embedded EHR Storage Interface in plain JavaScript, without dependencies.
 *
 * `ehr.mjs` has the methods, `matching.mjs` the search for a patient, `json-rpc.mjs` the messages, `http.mjs`
 * their transport. § numbers are those of the interface. State is in memory and ends with the program.
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
 * Runs the server until SIGTERM or SIGINT.
 * @param {(ehr: Ehr) => void} [alter] changes the server before it starts, as its faulty twin does
 */
export async function run(alter) {
  const flags = readFlags();
  const internal = { user: process.env.EHR_INTERNAL_USER, password: process.env.EHR_INTERNAL_PASSWORD };
  if (!flags.patients || !internal.user || !internal.password)
    end(2, `--patients, EHR_INTERNAL_USER and EHR_INTERNAL_PASSWORD are needed.\n${HELP}`);
  const clock = { aheadMs: 0 };
  const ehr = new Ehr(JSON.parse(readFileSync(flags.patients, 'utf8')), internal, () => Date.now() + clock.aheadMs);
  alter?.(ehr);

  const { 'api-version': version, 'internal-port': internalPort, 'control-port': controlPort } = flags;
  const serve = (channel, origins) =>
    endpoint(version, origins, (body) => answer(body, (call) => ehr.execute(call, channel)));
  const listeners = [
    ['ready at', serve(internalPort ? 'public' : 'both', flags.origins.split(',')), flags.port],
    // No web page has business on the internal channel (§1), so it knows no origins.
    ['internal methods at', serve('internal', []), internalPort],
    ['control at', (request, response) => control(request, response, ehr, clock), controlPort],
  ];
  const open = [];
  for (const [title, handler, port] of listeners) if (port) open.push({ title, ...(await listen(handler, port)) });
  process.stdout.write(`${open.map(({ title, url }) => `${title} ${url}`).join(', ')}\n`);
  const stop = () => {
    for (const { server } of open) server.close();
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

/** Moves the clock, or forgets all but the patients. */
async function control(request, response, ehr, clock) {
  const body = Buffer.concat(await request.toArray()).toString();
  const action = `${request.method} ${request.url}`;
  if (action === 'POST /clock/advance') clock.aheadMs += JSON.parse(body).milliseconds;
  else if (action === 'POST /reset') ehr.reset();
  else return response.writeHead(404).end();
  return response.writeHead(204).end();
}

function readFlags() {
  const text = (byDefault = '') => ({ type: 'string', default: byDefault });
  const options = {
    patients: text(),
    port: text('4100'),
    'internal-port': text(),
    'api-version': text('1.0-alpha'),
    origins: text(),
    'control-port': text(),
    help: { type: 'boolean' },
  };
  try {
    const { values } = parseArgs({ options });
    return values.help ? end(0, HELP) : values;
  } catch (error) {
    return end(2, `${error.message}\n${HELP}`);
  }
}

function end(code, text) {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await run();
