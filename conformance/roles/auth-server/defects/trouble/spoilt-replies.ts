/**
 * Defects for every trouble of the table at every place: it is taken for success, waited for endlessly, or
 * not recovered from.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { failures, signInRefusals, strangeReplies, troubleWords } from '../../flows/trouble/troubles.ts';
import { doneReply, readAgain } from '../calls/outgoing.ts';
import type { Defect } from '../defect.ts';
import { replacing, type Send, sending, watching } from './troubled.ts';

type Name = (typeof failures)[number] | (typeof strangeReplies)[number];

/** The result of one call. */
type Seen = {
  id: unknown;
  /** The error of the call, if any, and whether it was the caller's own timeout. */
  error?: unknown;
  gaveUp: boolean;
  response?: Response;
  /** The body, if it was read to its end. */
  text?: string;
  body?: unknown;
};

const member = (body: unknown, name: string) => (isObject(body) ? body[name] : undefined);
const has = (body: unknown, name: string) => isObject(body) && name in body;
const brokeOff = ({ error, gaveUp, response }: Seen) => error !== undefined && !gaveUp && response === undefined;

/** Recognizes each trouble from the server's side. Three ways to lose a connection look alike. */
const LOOKS: Readonly<Record<Name, (seen: Seen) => boolean>> = {
  down: brokeOff,
  reset: brokeOff,
  'reply-lost': brokeOff,
  hang: ({ gaveUp, response }) => gaveUp && response === undefined,
  trickle: ({ gaveUp, response }) => gaveUp && response !== undefined,
  truncate: ({ gaveUp, response, text }) => !gaveUp && response !== undefined && text === undefined,
  'not-json': ({ response }) => response?.headers.get('content-type')?.startsWith('text/html') ?? false,
  'wrong-id': ({ body, id }) => has(body, 'id') && String(member(body, 'id')) !== String(id),
  'http-500': ({ response }) => response?.status === 500,
  'no-result': ({ body }) => isObject(body) && has(body, 'jsonrpc') && !has(body, 'result') && !has(body, 'error'),
  'result-and-error': ({ body }) => has(body, 'result') && has(body, 'error'),
  'error-text': ({ body }) => typeof member(body, 'error') === 'string',
  array: ({ body }) => Array.isArray(body),
  'status-204': ({ response }) => response?.status === 204,
  'result-null': ({ body }) => member(body, 'result') === null,
  gzip: ({ response }) => response?.headers.get('content-encoding') === 'gzip',
  huge: ({ text }) => text !== undefined && text.length > 1024 * 1024,
  'duplicate-members': ({ text }) => text?.includes('"result":"another"') ?? false,
};

const isRefusal =
  (reason: string) =>
  ({ body }: Seen) =>
    JSON.stringify(member(body, 'error'))?.includes(`"${reason}"`) ?? false;

/** Sends each call, examines its result, and lets `then` replace it. */
function looking(then: (seen: Seen, user: string) => Promise<Response> | undefined): Send {
  return (send) => async (input, init) => {
    const { id, params } = JSON.parse(String(init?.body)) as { id: unknown; params?: { authInfo?: { user?: string } } };
    const seen: Seen = { id, gaveUp: false };
    const gaveUp = () => init?.signal?.aborted === true;
    let whole: Response | undefined;
    try {
      const response = await send(input, init);
      seen.response = response.clone();
      seen.text = await response.text();
      whole = readAgain(response, seen.text);
      seen.body = JSON.parse(seen.text);
    } catch (error) {
      if (!whole) Object.assign(seen, { error, gaveUp: gaveUp() });
    }
    const instead = then(seen, params?.authInfo?.user ?? '');
    if (instead !== undefined) return instead;
    if (whole) return whole;
    if (seen.response && seen.error instanceof Error) return readAgain(seen.response, seen.error);
    throw seen.error;
  };
}

type Looks = (seen: Seen) => boolean;
const never = () => new Promise<never>(() => undefined);

const taken = (looks: Looks): Send =>
  looking((seen) => (looks(seen) ? Promise.resolve(doneReply(seen.id)) : undefined));
const waitedFor = (looks: Looks): Send => looking((seen) => (looks(seen) ? never() : undefined));

/** After the trouble, all further calls for the same user fail. */
function neverRecovers(looks: Looks): Send {
  return (send) => {
    const broken = new Set<string>();
    const watched = looking((seen, user) => {
      if (looks(seen)) broken.add(user);
      return undefined;
    })(send);
    return (input, init) => {
      const { params } = JSON.parse(String(init?.body)) as { params?: { authInfo?: { user?: string } } };
      if (broken.has(params?.authInfo?.user ?? ''))
        return Promise.reject(new TypeError('The user is in a broken state.'));
      return watched(input, init);
    };
  };
}

type Place = { prefix: 'exchange' | 'save' | 'sign-in'; suffix: string; when: string };

const AT_EXCHANGE: Place = { prefix: 'exchange', suffix: '', when: '' };
const ON_SAVE: Place = { prefix: 'save', suffix: '-on-save', when: ', when a session is saved' };
const AT_SIGN_IN: Place = { prefix: 'sign-in', suffix: '-at-sign-in', when: ', when a linked user signs in' };

/** Troubles that cannot be taken for success, or that are one: here the defect waits endlessly. */
const WAITED_FOR: ReadonlySet<string> = new Set(['hang', 'trickle', 'reply-lost', 'wrong-id', 'truncate']);

function told({ prefix, suffix, when }: Place, name: string, looks: Looks, words: string): Defect {
  const check = `${prefix}-told-${name}`;
  if (WAITED_FOR.has(name))
    return sending(
      `waits-after-${name}${suffix}`,
      `When the EHR server ${words} the answer is waited for without end${when}`,
      check,
      waitedFor(looks),
      'waits',
    );
  return replacing(
    `takes-${name}-for-success${suffix}`,
    `When the EHR server ${words} that is taken for success${when}`,
    check,
    taken(looks),
  );
}

function answered({ prefix, suffix, when }: Place, name: string, looks: Looks, words: string): Defect {
  return sending(
    `waits-after-${name}${suffix}`,
    `When the EHR server ${words} the client gets no answer${when}`,
    `${prefix}-answers-${name}`,
    waitedFor(looks),
    'waits',
  );
}

function survived({ prefix, suffix, when }: Place, name: string, looks: Looks, words: string): Defect {
  return watching(
    `stuck-after-${name}${suffix}`,
    `After the EHR server ${words} no call for that user works any more${when}`,
    `${prefix}-survives-${name}`,
    neverRecovers(looks),
  );
}

const isStrange = (name: Name) => (strangeReplies as readonly string[]).includes(name);

function atPlace(place: Place, names: readonly Name[]): Defect[] {
  return names.flatMap((name) => [
    (isStrange(name) ? answered : told)(place, name, LOOKS[name], troubleWords[name]),
    survived(place, name, LOOKS[name], troubleWords[name]),
  ]);
}

/** Troubles for which the other places have defects in other files. */
const LATER_FOUND = [
  'trickle',
  'no-result',
  'result-and-error',
  'error-text',
  'array',
  'status-204',
  ...strangeReplies,
] as const satisfies readonly Name[];

export const spoiltReplyDefects: readonly Defect[] = [
  ...atPlace(AT_EXCHANGE, LATER_FOUND),
  ...atPlace(ON_SAVE, LATER_FOUND),
  ...atPlace(AT_SIGN_IN, [...failures, ...strangeReplies]),
  ...signInRefusals.flatMap(({ reason }) => {
    const name = reason.replaceAll('_', '-');
    const about = [AT_SIGN_IN, name, isRefusal(reason), `answers ${reason}`] as const;
    return [told(...about), survived(...about)];
  }),
];
