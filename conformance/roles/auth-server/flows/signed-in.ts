/** Judges what a client has after the sign-in of a linked user, and whether the user_sign is kept. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { Judgement, Steps } from '../../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../../engine/check/verdict.ts';
import { describe } from '../../../engine/journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { replyWords, SAVE_AUTH_INFO, sentTo } from '../internal-calls.ts';
import { isDone, partsOfLink, unclear } from './step-values.ts';

export const KEEP_ADVICE =
  'When a link is reported, store its user_sign with the user, whole and on disk, and use it at every later sign-in of that user.';

export const isSaved = (played: PlayedStep): boolean =>
  sentTo(played, SAVE_AUTH_INFO).some(({ facts }) => facts.reply?.result);

/** Judges that all sign-ins with this label are saved with the user's own signature. */
export function notKept(steps: Steps, journal: JournalView, label: string): Judgement {
  steps.of(label);
  const returns = steps.all(label);
  const [first, ...more] = returns.filter((played) => !isSaved(played));
  if (!first) return { right: returns.slice(0, MAX_EVIDENCE) };
  const isSent = returns.some((played) => sentTo(played, SAVE_AUTH_INFO).length > 0);
  if (!isSent && keepsNone(journal)) return KEEPS_NONE;
  const kinds = [...new Set([first, ...more].map(wrongSave))].join('; ');
  return {
    expected: 'save_auth_info with the whole user_sign of the user who returns, accepted',
    actual: returns.length === 1 ? kinds : `${kinds} (${more.length + 1} of ${returns.length} users)`,
    shownBy: [first],
    timeSensitive: true,
  };
}

/** Says in words what is wrong with the last save of a sign-in that was not saved. */
function wrongSave(played: PlayedStep): string {
  const save = sentTo(played, SAVE_AUTH_INFO).at(-1);
  if (!save) return 'save_auth_info was not sent';
  const { call, digest } = save.facts;
  if (digest && !digest.over)
    return `save_auth_info came with a digest that is right for no known user_sign${digest.explained ? `: ${digest.explained}` : ', as when it was cut or changed'}`;
  if (digest?.over?.kind === 'user-sign' && digest.over.owner !== call?.user)
    return "save_auth_info came with another user's user_sign";
  return `save_auth_info was ${replyWords(save)}`;
}

export const SIGN_ADVICE =
  "A sign-in of a user who was linked earlier sends save_auth_info with that user's user_sign.";

/** Judges that the sign-in of a linked user succeeds and is saved. */
export function savedAtSignIn(played: PlayedStep): Judgement {
  const saves = sentTo(played, SAVE_AUTH_INFO);
  if (saves.some(({ facts }) => facts.reply?.result) && isDone(played)) return undefined;
  const last = saves.at(-1);
  const saveWords = last ? `save_auth_info was ${replyWords(last)}` : 'save_auth_info was not sent';
  return {
    expected: 'the sign-in succeeds, and its save_auth_info is accepted',
    actual: isDone(played) ? saveWords : `the sign-in: ${describe(played.result)}`,
    shownBy: [played],
    timeSensitive: true,
    advice: SIGN_ADVICE,
  };
}

/** The labels of what the client does with a session that the EHR server did not acknowledge. */
export type Tried = { readonly reads: string; readonly linksAgain: string };

/**
 * Judges a sign-in that succeeded although the EHR server did not acknowledge its session: right if the session
 * opens the record all the same, or is not called linked and can be linked again.
 */
export function signedInAllTheSame(steps: Steps, played: PlayedStep, tried?: Tried): Judgement {
  const read = tried && steps.find(tried.reads);
  if (read && isDone(read)) return undefined;
  const shownBy = [played, ...(read ? [read] : [])];
  if (saysLinked(played))
    return {
      expected: 'a sign-in that is not called linked, or an error',
      actual: 'the answer says that the session is linked, and the EHR server acknowledged no such session',
      shownBy,
      advice: 'Call a session linked only after the EHR server has acknowledged save_auth_info.',
    };
  if (!tried || !read) return unclear('the record was not asked for with the session', ...shownBy);
  const parts = partsOfLink(steps, tried.linksAgain);
  const bad = parts.find((each) => !isDone(each));
  if (bad)
    return {
      expected: 'the user, whose session is not linked, can link again',
      actual: `"${bad.step.label}": ${describe(bad.result)}`,
      shownBy: [...shownBy, bad],
      timeSensitive: true,
      advice: 'Let a user whose session is not linked go through the whole flow again, as if they were new.',
    };
  return parts.length === 0 ? unclear('the new link was not played', ...shownBy) : undefined;
}

/** Whether the server keeps no signatures by its design: no link is reported to it. */
export function keepsNone(journal: JournalView): boolean {
  return journal.allSteps('reportLink').length === 0;
}

export const KEEPS_NONE = {
  notApplicable:
    'the server is told of no link, so by its design it keeps no user_sign: the client brings it',
} as const;

/** Whether the answer to the client has a member such as `linked: true`, at any depth. */
export function saysLinked({ exchanges }: PlayedStep): boolean {
  return exchanges.some(
    ({ link, response }) => link === 'client->auth' && hasLinkedMember(tryJson(response?.body ?? '')?.value),
  );
}

function hasLinkedMember(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasLinkedMember);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => (LINKED.test(name) && member === true) || hasLinkedMember(member),
  );
}

/** The names of members that call a session linked: `linked`, `isLinked`, `ehr_linked` and the like. */
const LINKED = /^(is|ehr)?_?linked$/i;
