/**
 * The sections of a server's file: where it is, its ports and certificates, how the kit starts it, and the
 * internal channel.
 */
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

export const pemPair = {
  cert: text.describe('The certificate, in PEM format'),
  key: text.describe('Its private key, unencrypted'),
};

export const portsSchema = z
  .record(
    z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be a name of letters and digits'),
    port,
    'must be a section of names and ports',
  )
  .default({})
  .describe('Ports for ${ports.NAME}; 0: a free one');

export function internalSchema(readEnv: ReadEnv) {
  return section({
    user: inReports(textOrEnv(readEnv, { secret: false }).describe('User name of the authorization server')),
    password: textOrEnv(readEnv, { secret: true }).describe('Its password, from the environment'),
    insecureLiteral: switchValue.default(false).describe('The password may stand in the file'),
  }).describe('Credentials of the internal channel');
}

export function serverSchema(readEnv: ReadEnv) {
  return section({
    url: inReports(
      z
        .union([baseUrl, fromEnv(readEnv, { secret: false }).pipe(baseUrl)])
        .describe('Base address of the server'),
    ),
    requestsPerSecond: z
      .number('must be a number')
      .min(0.1, 'must be at least 0.1')
      .max(100_000, 'must be at most 100000')
      .optional()
      .describe('A limit of requests below which the kit keeps'),
    start: startSchema(readEnv).optional().describe('How the kit starts the server'),
  });
}

function startSchema(readEnv: ReadEnv) {
  return section({
    command: inReports(command().describe('The program and its arguments'), ([program]) => program),
    cwd: text.optional().describe("Working directory; the file's unless given"),
    env: environment(readEnv).default({}).describe('More environment variables'),
    ready: section({
      url: z.union([path, url]).optional().describe('Path or address that answers 2xx once it is ready'),
      line: pattern.optional().describe('Regular expression of a line of its output'),
    })
      .meta(exactlyOne('url', 'line'))
      .optional()
      .describe('What tells readiness; any answer unless given'),
    keeps: z
      .enum(['memory', 'disk'], "must be 'memory' or 'disk'")
      .default('disk')
      .describe('Where it keeps users and links; with memory no restart is played'),
    readyWithinMs: milliseconds.default(30_000).describe('How long the start may take'),
    stopWithinMs: milliseconds.default(5_000).describe('How long the stop may take'),
  });
}

export type ServerSettings = z.output<ReturnType<typeof serverSchema>>;
export type StartSettings = NonNullable<ServerSettings['start']>;
