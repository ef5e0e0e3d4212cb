/** Reads the file about a client under test. */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import {
  command,
  type Env,
  environment,
  host,
  inReports,
  milliseconds,
  port,
  type ReadEnv,
  section,
  text,
} from '../../engine/party/file/fields.ts';
import type { Problem } from '../../engine/party/file/problem.ts';
import { inFolderOf, readSource, settingsOf } from '../../engine/party/file/read-settings.ts';
import { browserSchema, templated } from './drivers/browser/settings.ts';
import { screens } from './drivers/driver.ts';

const argument = templated(['authUrl', 'ehrUrl', 'storage', 'node']);

const timeoutsSchema = section({
  actionMs: milliseconds.default(30_000).describe('How long an action may take'),
  leaveMs: milliseconds.default(5_000).describe('How long its end may take'),
}).prefault({});

export function clientFileSchema(readEnv: ReadEnv) {
  return section({
    $schema: text.optional().describe('For editors'),
    name: text.max(100, 'must have at most 100 characters').describe("The client's name, for reports"),
    client: section({
      command: inReports(command(argument).describe('The program and its arguments'), ([program]) => program),
      cwd: text.optional().describe("Working directory; the file's unless given"),
      env: inReports(environment(readEnv).default({}).describe('More environment variables'), Object.keys),
    })
      .optional()
      .describe('A program around the logic of the client'),
    browser: browserSchema(readEnv).optional().describe('The page in a browser'),
    absent: section({
      disconnect: text.optional().describe('Disconnect the record'),
      deleteAccount: text.optional().describe('Delete the account'),
    })
      .default({})
      .describe('What a person cannot do, and why'),
    hosts: z
      .array(host, 'must be a list of host names')
      .default([])
      .describe('More names of the kit, such as 10.0.2.2 of an Android emulator'),
    origins: z
      .array(text, 'must be a list of texts')
      .default([])
      .describe('More origins of the client; `null` for a page in a file'),
    ports: inReports(
      section({ auth: port.default(0), ehr: port.default(0), page: port.default(0) })
        .prefault({})
        .describe('Where the kit, and a page that it starts, listen; 0: a free port'),
    ),
    timeouts: inReports(timeoutsSchema),
  });
}

export type ClientSettings = z.output<ReturnType<typeof clientFileSchema>>;

export type LoadedClientFile = { file: string; settings: ClientSettings };

/** @throws AdapterFileError that lists every problem with its place and what would be valid */
export function loadClientFile(file: string, env: Env): LoadedClientFile {
  const { settings } = settingsOf(file, readSource(file), {
    env,
    schema: clientFileSchema,
    problems: (data, settings) =>
      settings ? [...wayProblems(data), ...actionProblems(settings), ...screenProblems(settings)] : [],
  });
  const { client, browser } = settings;
  const start = browser?.start && { start: inFolderOf(file, browser.start) };
  const authority = browser?.authority && { authority: resolve(dirname(resolve(file)), browser.authority) };
  return {
    file,
    settings: {
      ...settings,
      ...(client && { client: inFolderOf(file, client) }),
      ...(browser && { browser: { ...browser, ...start, ...authority } }),
    },
  };
}

const MAY_LACK = ['disconnect', 'deleteAccount'] as const;

function actionProblems({ browser, absent }: ClientSettings): Problem[] {
  return MAY_LACK.filter((name) => browser && !browser.actions[name] && absent[name] === undefined).map(
    (name): Problem => ({
      path: ['browser', 'actions'],
      at: 'value',
      sentence: `lacks ${name}. Please describe it, or say under absent why there is none.`,
    }),
  );
}

/**
 * Where a text of one screen contains a text of another, the page is on both: unless `order` decides, or the
 * other has `matches` or `not`, which may exclude it.
 */
function screenProblems({ browser }: ClientSettings): Problem[] {
  if (!browser) return [];
  const { screens: texts, order } = browser;
  const unordered = screens.filter((screen) => !order.includes(screen));
  const byTextsAlone = unordered.filter(
    (each) => texts[each].matches === undefined && texts[each].not.length === 0,
  );
  return unordered.flatMap((screen) =>
    texts[screen].anyOf.flatMap((text) => {
      const isInText = (one: string) => text.includes(one);
      const other = byTextsAlone.find((each) => each !== screen && texts[each].anyOf.some(isInText));
      if (other === undefined) return [];
      const sentence = `has a text of ${other} in it. Please name texts that stand on one screen alone, or say in order which counts.`;
      return [{ path: ['browser', 'screens', screen], at: 'value', sentence } satisfies Problem];
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
