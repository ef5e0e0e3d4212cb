/** Reads a played step: what the person saw, whether they were told in words, and what the client called. */
import type { ExchangeEntry } from '../../engine/journal/entry.ts';
import type { PlayedStep } from '../../engine/journal/view.ts';
import { EHR_METHODS } from './servers/calls.ts';

export function seenIn({ result }: PlayedStep): string {
  if (result.kind === 'done')
    return `the person sees the screen ${result.values.sees}: "${result.values.text}"`;
  return result.kind === 'failed' ? result.detail : result.kind;
}

export function seenValue({ result }: PlayedStep, name: string): string | undefined {
  return result.kind === 'done' ? result.values[name] : undefined;
}

export function screenOf({ result }: PlayedStep): string | undefined {
  return result.kind === 'done' ? result.values.sees : undefined;
}

/** Whether the person is told: in a sentence, or by one word such as "Deleted" where all has worked. */
export function isTold(played: PlayedStep): boolean {
  const text = seenValue(played, 'text') ?? '';
  return isSentence(text) || (ONE_WORD.test(text) && (hasWorked(played) || hasEnded(played)));
}

const ONE_WORD = /^[^\p{L}_]*\p{L}[\p{L}\p{M}'’-]+(?![\p{M}'’-])[^\p{L}_]*$/u;

/** Whether a text has at least two words for a person, and not for a program. */
export const isSentence = (text: string): boolean =>
  (text.split(/\s+/).some(isWordBeforeWord) || WITHOUT_BLANKS.test(text)) && !OF_A_PROGRAM.test(text);

const isWordBeforeWord = (word: string, at: number, words: string[]): boolean =>
  TWO_LETTERS.test(word) && TWO_LETTERS.test(words[at + 1] ?? '');

const TWO_LETTERS = /\p{L}{2}/u;

/** Letters of scripts that write a sentence without blanks. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{4,}/u;

const OF_A_PROGRAM = /[{[]\s*"|Traceback \(|^\s{0,40}at .+:\d+/m;

/** Whether the person asked for an ending, and the screen says that it is done. Other checks judge calls. */
const hasEnded = (played: PlayedStep): boolean =>
  ['logOut', 'disconnect', 'deleteAccount'].includes(played.step.step) && screenOf(played) !== 'error';

const hasWorked = ({ exchanges }: PlayedStep): boolean =>
  exchanges.length > 0 &&
  exchanges.every(({ facts, fault: disturbed }) => disturbed === undefined && facts.reply?.result === true);

/** The calls as `callsIn` names them: the server, a blank, the method. */
export const CALLS = {
  requestOtp: 'auth auth.request_otp',
  confirmOtp: 'auth auth.confirm_otp',
  exchangeToken: 'auth auth.exchange_token',
  reportLink: 'auth auth.report_link',
  authLogout: 'auth auth.logout',
  deleteUser: 'auth auth.delete_user',
  read: `ehr ${EHR_METHODS.read}`,
  authenticate: `ehr ${EHR_METHODS.authenticate}`,
  logOut: `ehr ${EHR_METHODS.logOut}`,
  disconnect: `ehr ${EHR_METHODS.disconnect}`,
} as const;

export function callsIn(...played: readonly PlayedStep[]): string[] {
  return played.flatMap(({ exchanges }) => exchanges.map(nameOf));
}

/** `name`: one of {@link CALLS}. */
export function exchangesIn(played: readonly PlayedStep[], name: string): ExchangeEntry[] {
  return played.flatMap(({ exchanges }) => exchanges.filter((exchange) => nameOf(exchange) === name));
}

function nameOf({ link, facts }: ExchangeEntry): string {
  return `${link.replace('client->', '')} ${facts.call?.method ?? 'no call'}`;
}

export const whyNotRefused = (played: PlayedStep): string | undefined =>
  isReadRefused(played)
    ? undefined
    : 'the client did not call get_patient there, so that nothing was refused';

export const isReadRefused = (played: PlayedStep): boolean =>
  exchangesIn([played], CALLS.read).some(({ facts }) => facts.reply?.code !== undefined);
