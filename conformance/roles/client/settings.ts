/** Reads the file about a client under test. */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { isObject } from '#protocol/wire/envelope.ts';
import { problemsOf } from '../../engine/party/file/describe-issue.ts';
import type { Env } from '../../engine/party/file/env.ts';
import {
  environment,
  host,
  milliseconds,
  port,
  type ReadEnv,
  section,
  text,
} from '../../engine/party/file/fields.ts';
import { inReports } from '../../engine/party/file/in-reports.ts';
import { AdapterFileError, adapterFileError, type Problem } from '../../engine/party/file/problem.ts';
import { readText } from '../../engine/party/file/read-text.ts';
import { readYaml } from '../../engine/party/file/yaml-source.ts';
import { browserSchema, templated } from './drivers/browser/settings.ts';

const argument = templated(['authUrl', 'ehrUrl', 'storage', 'node']);

const timeoutsSchema = section({
  actionMs: milliseconds.default(30_000).describe('How long the client may take to answer an action'),
  leaveMs: milliseconds.default(5_000).describe('How long it may take to end after the end of its input'),
}).prefault({});

export function clientFileSchema(readEnv: ReadEnv) {
  return section({
    $schema: text.optional().describe('Address of this schema, for editors'),
    name: text.max(100, 'must have at most 100 characters').describe("The client's name, for reports"),
    client: section({
      command: inReports(
        z
          .array(argument, 'must be a list of texts')
          .min(1, 'must name a program')
          .refine(([program]) => program !== '', 'must name a program')
          .describe('The program and its arguments, with the templates authUrl, ehrUrl, storage and node'),
        ([program]) => program,
      ),
      cwd: text.optional().describe("Working directory, relative to this file; this file's own unless given"),
      env: inReports(
        environment(readEnv).default({}).describe('Environment variables beside those of the kit itself'),
        Object.keys,
      ),
    })
      .optional()
      .describe('The program that turns a line of input into an action of a person, and tells what they see'),
    browser: browserSchema(readEnv).optional().describe('The page that a person uses in a browser'),
    absent: section({
      disconnect: text.optional().describe('Why a person cannot disconnect the record'),
      deleteAccount: text.optional().describe('Why a person cannot delete the account'),
    })
      .default({})
      .describe(
        'What a person cannot do with the client, with the reason: the interface leaves both to a client',
      ),
    hosts: z
      .array(host, 'must be a list of host names')
      .default([])
      .describe('Names by which the client reaches the kit, besides those of this machine'),
    origins: z
      .array(text, 'must be a list of texts')
      .default([])
      .describe(
        'Origins of the client, besides those of this machine and of the page; `null` for a page in a file',
      ),
    ports: inReports(
      section({ auth: port.default(0), ehr: port.default(0), page: port.default(0) })
        .prefault({})
        .describe(
          'Where the kit listens as authorization server and as EHR server, and a page that it starts; 0: a free port',
        ),
    ),
    timeouts: inReports(timeoutsSchema),
  });
}

export type ClientSettings = z.output<ReturnType<typeof clientFileSchema>>;

export type LoadedClientFile = { file: string; settings: ClientSettings };

/** @throws AdapterFileError that lists every problem with its place and what would be valid */
export function loadClientFile(file: string, env: Env): LoadedClientFile {
  const source = readYaml(readText(file));
  if (Array.isArray(source)) throw adapterFileError(file, source, () => undefined);
  if (!isObject(source.data)) {
    throw new AdapterFileError(`Failed to use the file ${file}: it must be a section of keys and values.`);
  }
  const parsed = clientFileSchema((name) => env[name]).safeParse(source.data);
  if (!parsed.success)
    throw adapterFileError(file, problemsOf(parsed.error.issues, source.data), source.locate);
  const problems = [...wayProblems(source.data), ...actionProblems(parsed.data)];
  if (problems.length > 0) throw adapterFileError(file, problems, source.locate);
  const { client, browser } = parsed.data;
  // The working directory of a program is relative to the folder of the file.
  const inFolder = <T extends { cwd?: string | undefined }>(program: T): T => ({
    ...program,
    cwd: resolve(dirname(resolve(file)), program.cwd ?? '.'),
  });
  const settings = {
    ...parsed.data,
    ...(client && { client: inFolder(client) }),
    ...(browser && { browser: { ...browser, ...(browser.start && { start: inFolder(browser.start) }) } }),
  };
  return { file, settings };
}

const MAY_LACK = ['disconnect', 'deleteAccount'] as const;

function actionProblems({ browser, absent }: ClientSettings): Problem[] {
  return MAY_LACK.filter((name) => browser && !browser.actions[name] && absent[name] === undefined).map(
    (name): Problem => ({
      ...{ path: ['browser', 'actions'], at: 'value' },
      sentence: `lacks ${name}. Please describe it, or say under absent why there is none.`,
    }),
  );
}

const WAYS = ['client', 'browser'] as const;

function wayProblems(data: Record<string, unknown>): Problem[] {
  const [first, second] = WAYS.filter((way) => data[way] !== undefined);
  if (first === undefined) return [{ path: [], at: 'value', sentence: `lacks one of ${WAYS.join(', ')}.` }];
  if (second === undefined) return [];
  return [{ path: [second], at: 'key', sentence: `cannot stand beside ${first}. Please keep one of them.` }];
}
