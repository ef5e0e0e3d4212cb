/** A user who is deleted during a sign-in (§4.6). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notRun, pass, SAVE_AUTH_INFO, sentTo } from '../../../../engine/check/judging.ts';
import { done, first } from '../../../../engine/check/red-change.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import { deletionAtSignIn } from '../../flows/links/deletion-at-sign-in.ts';
import { isDone, yielded } from '../step-values.ts';

const { steps } = deletionAtSignIn;

export const deletionAtSignInChecks: readonly Check[] = [
  check({
    id: 'deletion-outlives-sign-in',
    title: 'A user who was deleted during a sign-in has no session once both have ended',
    requirements: ['K-session-ends', 'DA-delete-user'],
    scenarios: [deletionAtSignIn],
    judge(journal) {
      const [before, returned, ended] = [steps.signIn, steps.returns, steps.delete].map((label) => journal.step(label));
      if (!before || !returned || !ended) return notRun(journal, steps.returns);
      const evidence = [...returned.evidence, ...ended.evidence];
      if (!isDone(ended)) return inconclusive(`the deletion did not succeed (${describe(ended.result)})`, evidence);
      if (sentTo(returned, SAVE_AUTH_INFO).length === 0)
        return inconclusive('the EHR server was not called, so the deletion overtook nothing', evidence);
      if (!isDone(returned))
        return returned.result.kind === 'failed' && returned.result.what !== 'server-error'
          ? inconclusive(`the sign-in was not answered (${describe(returned.result)})`, evidence)
          : pass(evidence);
      const after = journal.step(steps.after);
      if (!after) return inconclusive('the session that was opened was not tried', evidence);
      // A new session of a new user is right: the sign-in then follows the deletion.
      const saved = journal
        .exchanges('auth->ehr', SAVE_AUTH_INFO)
        .some(({ facts: { call, reply } }) => reply?.result && call?.token === yielded(returned, 'token'));
      if (isDone(after) && saved && yielded(returned, 'user') === yielded(before, 'user'))
        return fail({
          expected: 'no session of the deleted user lives on',
          actual:
            'the sign-in opened one, linked by the signature from before the deletion, and it was given an exchange token',
          evidence: [...evidence, ...after.evidence],
          advice:
            'When the EHR server has answered save_auth_info, look again whether the user is still there before the session is opened.',
        });
      return pass([...evidence, ...after.evidence]);
    },
    red({ entries, exchanges, outcome }) {
      const own = (name: string) =>
        first(
          entries.filter(
            (entry) => entry.kind === 'step' && entry.scenario === deletionAtSignIn.id && entry.label === name,
          ),
        );
      const [signIn, returns] = [own(steps.signIn.label), own(steps.returns.label)];
      const given = entries.find((entry) => entry.kind === 'outcome' && entry.step === signIn.seq);
      const ended = first(entries.filter((entry) => entry.kind === 'outcome' && entry.step === returns.seq));
      const save = first(
        exchanges('auth->ehr', SAVE_AUTH_INFO).filter(
          ({ seq, facts }) => seq > returns.seq && seq < ended.seq && facts.call?.user !== undefined,
        ),
      );
      const user = given?.kind === 'outcome' && given.result.kind === 'done' ? given.result.values.user : undefined;
      outcome(steps.returns, done({ user: user as string, token: save.facts.call?.token as string }));
      // A right server opened no session, so the step that tries it is missing.
      const after = { ...returns, seq: ended.seq + 0.25, label: steps.after.label };
      const answer = { ...ended, seq: ended.seq + 0.5, step: after.seq, result: done({ exchangeToken: 'x' }) };
      entries.splice(entries.indexOf(ended) + 1, 0, after as typeof returns, answer as typeof ended);
    },
  }),
];
