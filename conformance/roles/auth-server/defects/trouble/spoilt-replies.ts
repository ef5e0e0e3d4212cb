/** A defect for every trouble at every place: it is taken for success, waited for, or not recovered from. */
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

/** A place where the EHR server is called: the beginning of the names of its checks. */
type CallPlace = { prefix: 'exchange' | 'save' | 'sign-in'; suffix: string; when: string };

const AT_EXCHANGE: CallPlace = { prefix: 'exchange', suffix: '', when: '' };
const ON_SAVE: CallPlace = { prefix: 'save', suffix: '-on-save', when: ', when a session is saved' };
const AT_SIGN_IN: CallPlace = {
  prefix: 'sign-in',
  suffix: '-at-sign-in',
  when: ', when a linked user signs in',
};

/** Troubles that cannot be taken for success, or that are one: here the defect waits endlessly. */
const WAITED_FOR: ReadonlySet<string> = new Set(['hang', 'trickle', 'reply-lost', 'wrong-id', 'truncate']);

const row = (id: string, check: string, title: string, change: Change) =>
  foundBy({ [check]: [`${id}: ${title}`, change] });

type Trouble = { name: string; looks: Looks; words: string };

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

const answered = ({ prefix, suffix, when }: CallPlace, { name, looks, words }: Trouble): Defect[] => {
  const title = `When the EHR server ${words} the client gets no answer${when}`;
  return row(`waits-after-${name}${suffix}`, `${prefix}-answers-${name}`, title, waitsAfter(looks));
};

const survived = ({ prefix, suffix, when }: CallPlace, { name, looks, words }: Trouble): Defect[] => {
  const title = `After the EHR server ${words} no call for that user works any more${when}`;
  return row(
    `stuck-after-${name}${suffix}`,
    `${prefix}-survives-${name}`,
    title,
    breaksAfter(looks, { forUser: true }),
  );
};

const isStrange = (name: TroubleName) => (strangeReplies as readonly string[]).includes(name);

const atPlace = (place: CallPlace, names: readonly TroubleName[]) =>
  names.flatMap((name) => {
    const trouble = { name, looks: LOOKS[name], words: troubleWords[name] };
    return [...(isStrange(name) ? answered : told)(place, trouble), ...survived(place, trouble)];
  });

/** Troubles for which the other places have defects in other files. */
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
