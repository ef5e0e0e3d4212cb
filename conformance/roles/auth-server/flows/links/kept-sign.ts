/** Judges whether the server keeps the signature (user_sign) of a link for later sign-ins. */

import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { replyWords, SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { KEEPS_NONE, keepsNone } from '../signed-in.ts';
import { timedFault } from '../step-values.ts';

export const KEEP_ADVICE =
  'When a link is reported, store its user_sign with the user, whole and on disk, and use it at every later sign-in of that user.';

export const isSaved = (played: PlayedStep): boolean =>
  sentTo(played, SAVE_AUTH_INFO).some(({ facts }) => facts.reply?.result);

/** All sign-ins with this label must be saved with the user's own signature. */
export function notKept(steps: Steps, journal: JournalView, label: string): Judgement {
  // Ends the judgement if no such step was played.
  steps.of(label);
  const returns = steps.all(label);
  const [first, ...more] = returns.filter((played) => !isSaved(played));
  if (!first) return { right: returns.slice(0, MAX_EVIDENCE) };
  const isSent = returns.some((played) => sentTo(played, SAVE_AUTH_INFO).length > 0);
  if (!isSent && keepsNone(journal)) return KEEPS_NONE;
  const kinds = [...new Set([first, ...more].map(wrongSave))].join('; ');
  return timedFault(
    'save_auth_info with the whole user_sign of the user who returns, accepted',
    returns.length === 1 ? kinds : `${kinds} (${more.length + 1} of ${returns.length} users)`,
    first,
  );
}

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
