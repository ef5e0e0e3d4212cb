/** What the client has after a linked user's sign-in, with and without an acknowledged save. */
import { isObject } from '#protocol/wire/envelope.ts';
import {
  fail,
  inconclusive,
  notApplicable,
  pass,
  replyWords,
  SAVE_AUTH_INFO,
  sentTo,
} from '../../../engine/check/judging.ts';
import type { Finding } from '../../../engine/check/verdict.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { type Label, part } from '../flows/scenario.ts';

/** Requires that the sign-in succeeded, and that its save_auth_info was sent and accepted. */
export function savedAtSignIn(played: PlayedStep): Finding {
  const saves = sentTo(played, SAVE_AUTH_INFO);
  const accepted = saves.some(({ facts }) => facts.reply?.result);
  if (accepted && played.result.kind === 'done') return pass(played.evidence);
  const [last] = saves.slice(-1);
  const of = last ? `save_auth_info was ${replyWords(last)}` : 'save_auth_info was not sent';
  return fail({
    expected: 'the sign-in succeeds, and its save_auth_info is accepted',
    actual: played.result.kind === 'done' ? of : `the sign-in: ${describe(played.result)}`,
    evidence: played.evidence,
    advice: "A sign-in of a user who was linked earlier sends save_auth_info with that user's user_sign.",
    timeSensitive: true,
  });
}

/**
 * Judges a sign-in that succeeded although no save was acknowledged. It is right if the session opens the
 * record after all, or if it is not called linked and can be linked again at once.
 */
export function signedInAllTheSame(
  journal: JournalView,
  played: PlayedStep,
  tried: { reads: Label; linksAnew: Label } | undefined,
): Finding {
  const read = tried && journal.step(tried.reads);
  if (read?.result.kind === 'done') return pass([...played.evidence, ...read.evidence]);
  const evidence = [...played.evidence, ...(read?.evidence ?? [])];
  if (saysLinked(played))
    return fail({
      expected: 'a sign-in that is not called linked, or an error',
      actual: 'the answer says that the session is linked, and the EHR server acknowledged no such session',
      evidence,
      advice: 'Call a session linked only after the EHR server has acknowledged save_auth_info.',
    });
  if (!tried || !read) return inconclusive('the record was not asked for with the session', evidence);
  const link = ['exchange token', 'authenticate', 'report'] as const;
  const steps = link.flatMap((name) => journal.step(part(tried.linksAnew, name)) ?? []);
  const bad = steps.find(({ result }) => result.kind !== 'done');
  if (bad)
    return fail({
      expected: 'the user, whose session is not linked, can link again',
      actual: `"${bad.step.label}": ${describe(bad.result)}`,
      evidence: [...evidence, ...bad.evidence],
      advice: 'Let a user whose session is not linked go through the whole flow again, as if they were new.',
      timeSensitive: true,
    });
  if (steps.length === 0) return inconclusive('the new link was not played', evidence);
  return pass([...evidence, ...steps.flatMap((step) => step.evidence)]);
}

/**
 * Whether the server keeps no signature by its design: no link is reported to it, and each sign-in brings the
 * signature.
 */
export function keepsNone(journal: JournalView): boolean {
  return journal.allSteps('reportLink').length === 0;
}

export const KEEPS_NONE = notApplicable(
  'the server is told of no link, so by its design it keeps no user_sign: the client brings it',
);

/** Whether the answer of a step calls the session linked, by a member of that name which is true. */
export function saysLinked({ exchanges }: PlayedStep): boolean {
  return exchanges.some(({ link, response }) => link === 'client->auth' && hasLinkedMember(parsed(response?.body)));
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}

function hasLinkedMember(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasLinkedMember);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => (LINKED.test(name) && member === true) || hasLinkedMember(member),
  );
}

/** `linked`, `isLinked`, `ehr_linked` and the like. */
const LINKED = /^(is|ehr)?_?linked$/i;
