/** Over https the authorization server sends nothing to a server that shows a wrong certificate (§5.1). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notApplicable, notRun, pass, wasTold } from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import type { WrongCertificate } from '../../../../engine/wire/tls-side.ts';
import { certificates } from '../../flows/trouble/certificates.ts';

const { steps } = certificates;

const KINDS: Readonly<Record<WrongCertificate, { id: string; words: string; absent: string; advice: string }>> = {
  foreign: {
    id: 'foreign-certificate-refused',
    words: 'comes from an unknown authority',
    absent: 'the kit listens with plain HTTP: ehr.tls is not set, so there is no certificate to verify',
    advice:
      'Switch the verification of certificates on for calls to the EHR server (no rejectUnauthorized: false, verify=False, trust-all manager or the like), and name its authority as a trusted one.',
  },
  'other-name': {
    id: 'other-name-refused',
    words: 'is for another name',
    absent: 'the adapter file names no certificate for another name (ehr.tls.otherName)',
    advice:
      'Switch the verification of host names on for calls to the EHR server: a certificate of the right authority for another host is not the EHR server.',
  },
};

function judge(journal: JournalView, wrong: WrongCertificate): Finding {
  const { words, absent, advice } = KINDS[wrong];
  const [before, bad, after] = [steps.before, steps.during(wrong), steps.afterwards(wrong)].map((label) =>
    journal.step(label),
  );
  const [seen] = journal.observations(steps.during(wrong));
  if (!bad || !seen) {
    const ended = journal.ending(certificates.id);
    return ended && !ended.stopped && !ended.absent ? notApplicable(absent) : notRun(journal, steps.during(wrong));
  }
  // The right certificate is shown again before the observation is recorded.
  const crossed = journal.exchanges('auth->ehr').filter(({ seq }) => seq > bad.step.seq && seq < seen.seq);
  const expected = `no call reaches an EHR server whose certificate ${words}`;
  if (crossed.length > 0)
    return fail({
      expected,
      actual: `${crossed[0]?.facts.call?.method ?? 'a request'} was sent to it, with its credentials`,
      evidence: [...bad.evidence, ...crossed.map(({ seq }) => seq)],
      advice,
    });
  if (bad.result.kind === 'done')
    return fail({
      expected: 'an error to the client, because the EHR server could not be called',
      actual: 'the client was told that it succeeded',
      evidence: bad.evidence,
      advice: 'When the EHR server gives no acknowledgement, answer the client with an error and give out nothing.',
    });
  if (!before || !after) return notRun(journal, before ? steps.afterwards(wrong) : steps.before);
  for (const control of [before, after])
    if (control.result.kind !== 'done')
      return inconclusive(
        `with the right certificate "${control.step.label}" did not succeed either (${describe(control.result)})`,
        control.evidence,
      );
  if (!seen.values.connections)
    return inconclusive('the server under test did not connect, so it was shown no certificate', bad.evidence);
  if (!wasTold(bad))
    return fail({
      expected: 'an error to the client, in bounded time',
      actual: describe(bad.result),
      evidence: bad.evidence,
      advice: 'Take a certificate that is not accepted for a failed call, and answer the client with an error.',
      timeSensitive: true,
    });
  return pass([...before.evidence, ...bad.evidence, seen.seq, ...after.evidence]);
}

const certificateCheck = (wrong: WrongCertificate): Check =>
  check({
    id: KINDS[wrong].id,
    title: `Over https nothing is sent to an EHR server whose certificate ${KINDS[wrong].words}`,
    requirements: ['K-certificate-verified'],
    scenarios: [certificates],
    judge: (journal) => judge(journal, wrong),
  });

export const certificateChecks: readonly Check[] = [certificateCheck('foreign'), certificateCheck('other-name')];
