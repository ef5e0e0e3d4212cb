/**
 * Makes the defects in how an authorization server handles each trouble of the EHR server, such as a reply
 * that is no JSON, in each of its calls: it takes the trouble for success, waits for it without end, or does
 * not recover afterwards.
 */
import { failures, signInRefusals, strangeReplies, troubleWords } from '../../flows/trouble/troubles.ts';
import type { Change } from '../change.ts';
import { type Defect, foundBy } from '../defect.ts';
import {
  breaksAfter,
  isRefusal,
  LOOKS,
  type Looks,
  type TroubleName,
  takesForDone,
  waitsAfter,
} from './looks.ts';

/**
 * A case in which the EHR server is called. `prefix` begins the ids of its checks, `suffix` ends the ids of
 * its defects, and `when` ends their titles.
 */
type CallPlace = { prefix: 'exchange' | 'save' | 'sign-in'; suffix: string; when: string };

const AT_EXCHANGE: CallPlace = { prefix: 'exchange', suffix: '', when: '' };
const ON_SAVE: CallPlace = { prefix: 'save', suffix: '-on-save', when: ', when a session is saved' };
const AT_SIGN_IN: CallPlace = {
  prefix: 'sign-in',
  suffix: '-at-sign-in',
  when: ', when a linked user signs in',
};

/**
 * Troubles after which the defect waits without end, because the call cannot be taken for successful or has
 * even succeeded.
 */
const WAITED_FOR: ReadonlySet<string> = new Set(['hang', 'trickle', 'reply-lost', 'wrong-id', 'truncate']);

/** Makes one defect, which this check must find. */
const row = (id: string, check: string, title: string, change: Change) =>
  foundBy({ [check]: [`${id}: ${title}`, change] });

/** A trouble: its name, how it is recognized, and the words for it that follow "the EHR server". */
type Trouble = { name: string; looks: Looks; words: string };

/** The server does not tell its client of the trouble: it takes it for success, or waits. */
const told = ({ prefix, suffix, when }: CallPlace, { name, looks, words }: Trouble): Defect[] => {
  const [check, said] = [`${prefix}-told-${name}`, `When the EHR server ${words}`];
  return WAITED_FOR.has(name)
    ? row(
        `waits-after-${name}${suffix}`,
        check,
        `${said} the answer is waited for without end${when}`,
        waitsAfter(looks),
      )
    : row(
        `takes-${name}-for-success${suffix}`,
        check,
        `${said} that is taken for success${when}`,
        takesForDone(looks),
      );
};

/** The server never answers its client after a strange reply, which it may take for success or failure. */
const answered = ({ prefix, suffix, when }: CallPlace, { name, looks, words }: Trouble): Defect[] => {
  const title = `When the EHR server ${words} the client gets no answer${when}`;
  return row(`waits-after-${name}${suffix}`, `${prefix}-answers-${name}`, title, waitsAfter(looks));
};

/** No call for the same user works any more after the trouble. */
const survived = ({ prefix, suffix, when }: CallPlace, { name, looks, words }: Trouble): Defect[] => {
  const title = `After the EHR server ${words} no call for that user works any more${when}`;
  return row(
    `stuck-after-${name}${suffix}`,
    `${prefix}-survives-${name}`,
    title,
    breaksAfter(looks, { forUser: true }),
  );
};

/** Whether the trouble is a strange reply. */
const isStrange = (name: TroubleName) => (strangeReplies as readonly string[]).includes(name);

/** The defects of these troubles in one case. */
const atPlace = (place: CallPlace, names: readonly TroubleName[]) =>
  names.flatMap((name) => {
    const trouble = { name, looks: LOOKS[name], words: troubleWords[name] };
    return [...(isStrange(name) ? answered : told)(place, trouble), ...survived(place, trouble)];
  });

/** Troubles whose defects stand here in all three cases. Of the others handled.ts has two cases. */
const LATER_FOUND = [
  'trickle',
  'no-result',
  'result-and-error',
  'error-text',
  'array',
  'status-204',
  ...strangeReplies,
] as const satisfies readonly TroubleName[];

export const spoiltReplyDefects: readonly Defect[] = [
  ...atPlace(AT_EXCHANGE, LATER_FOUND),
  ...atPlace(ON_SAVE, LATER_FOUND),
  ...atPlace(AT_SIGN_IN, [...failures, ...strangeReplies]),
  ...signInRefusals.flatMap(({ reason }) => {
    const trouble = {
      name: reason.replaceAll('_', '-'),
      looks: isRefusal(reason),
      words: `answers ${reason}`,
    };
    return [...told(AT_SIGN_IN, trouble), ...survived(AT_SIGN_IN, trouble)];
  }),
];
