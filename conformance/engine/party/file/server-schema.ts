/** The sections of a server's file: where it is, how the kit starts it, and the internal channel. */
import { z } from 'zod';
import {
  baseUrl,
  command,
  environment,
  exactlyOne,
  fromEnv,
  inReports,
  milliseconds,
  path,
  pattern,
  port,
  type ReadEnv,
  section,
  switchValue,
  text,
  textOrEnv,
  url,
} from './fields.ts';

export const pemFile = (what: string) =>
  text.describe(`${what}: a file in PEM format, relative to this file`);

export const pemPair = { cert: pemFile('The certificate'), key: pemFile('Its private key, unencrypted') };

export const portsSchema = z
  .record(
    z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be a name of letters and digits'),
    port,
    'must be a section of names and ports',
  )
  .default({})
  .describe('Ports by name, known elsewhere as ${ports.NAME}; 0: the kit chooses a free one');

export function internalSchema(readEnv: ReadEnv) {
  return section({
    user: inReports(
      textOrEnv(readEnv, { secret: false }).describe('Internal user name of the authorization server'),
    ),
    password: textOrEnv(readEnv, { secret: true }).describe('Its internal password, from the environment'),
    insecureLiteral: switchValue
      .default(false)
      .describe('true: the password may stand in the file, because it protects nothing'),
  }).describe('Credentials of the internal channel, as both sides have them');
}

export function serverSchema(readEnv: ReadEnv) {
  return section({
    url: inReports(
      z
        .union([baseUrl, fromEnv(readEnv, { secret: false }).pipe(baseUrl)])
        .describe('Base URL of the server, as reached from here'),
    ),
    requestsPerSecond: z
      .number('must be a number')
      .min(0.1, 'must be at least 0.1')
      .max(100_000, 'must be at most 100000')
      .optional()
      .describe('How many requests a second the server takes from one address; the kit keeps below it'),
    start: startSchema(readEnv)
      .optional()
      .describe('How the kit starts the server itself, and stops it afterwards'),
  });
}

function startSchema(readEnv: ReadEnv) {
  return section({
    command: inReports(command().describe('The program and its arguments'), ([program]) => program),
    cwd: text.optional().describe("Working directory, relative to this file; this file's own unless given"),
    env: environment(readEnv).default({}).describe('Environment variables beside those of the kit itself'),
    ready: section({
      url: z
        .union([path, url])
        .optional()
        .describe('Path below server.url, or a whole address, that answers 2xx once the server is ready'),
      line: pattern
        .optional()
        .describe('Regular expression that a line of its output matches once it is ready'),
    })
      .meta(exactlyOne('url', 'line'))
      .optional()
      .describe('How readiness is told: by one of these; by any answer from server.url unless given'),
    keeps: z
      .enum(['memory', 'disk'], "must be 'memory' or 'disk'")
      .default('disk')
      .describe(
        'Where the server, started like this, keeps users and links; with memory a restart is not played, because it would lose them',
      ),
    readyWithinMs: milliseconds.default(30_000).describe('How long the start may take'),
    stopWithinMs: milliseconds
      .default(5_000)
      .describe('How long the stop may take before the server is killed'),
  });
}

export type ServerSettings = z.output<ReturnType<typeof serverSchema>>;
export type StartSettings = NonNullable<ServerSettings['start']>;
