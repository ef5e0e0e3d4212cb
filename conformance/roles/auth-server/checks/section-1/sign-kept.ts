/** A link's signature survives trouble with the EHR server and wrong signatures (§1 rules 7 and 9). */
import type { RequirementId } from '#protocol/requirements.ts';
import { type Check, check } from '../../../../engine/check/check.ts';
import { inconclusive, notRun, SAVE_AUTH_INFO, sentTo } from '../../../../engine/check/judging.ts';
import { first, type RedChange } from '../../../../engine/check/red-change.ts';
import { keptAtLink } from '../../flows/links/kept.ts';
import { CASES, type Case, signKeptInTrouble } from '../../flows/trouble/sign-kept-in-trouble.ts';
import { KEEPS_NONE, keepsNone } from '../signed-in.ts';
import { keptFor } from './kept.ts';

const { steps } = signKeptInTrouble;

type Row = Pick<Check, 'id' | 'title' | 'level'> & { requirements: readonly [RequirementId, ...RequirementId[]] };

const ROWS: Readonly<Record<Case, Row>> = {
  outage: {
    id: 'signature-kept-in-outage',
    title: 'A sign-in that failed for trouble with the EHR server leaves the signature of the link on record',
    level: 'SHOULD',
    requirements: ['K-link-kept-in-trouble', 'K-link-kept'],
  },
  refusal: {
    id: 'signature-kept-in-refusal',
    title: 'A refusal that does not say that the link is gone leaves its signature on record',
    level: 'SHOULD',
    requirements: ['K-link-kept-in-trouble', 'K-link-kept'],
  },
  'wrong signature at a sign-in': {
    id: 'given-signature-proven-first',
    title: 'A wrong signature that comes with a sign-in does not take the place of the right one',
    level: 'MUST',
    requirements: ['K-unproven-sign-not-kept', 'K-link-kept-in-trouble'],
  },
  'wrong signature reported': {
    id: 'signature-kept-when-report-refused',
    title: 'A report that is refused leaves the signature of the earlier link on record',
    level: 'SHOULD',
    requirements: ['K-link-kept-in-trouble', 'K-link-kept'],
  },
};

/** Removes the save of the return. */
const unsavedReturn =
  (name: Case): RedChange =>
  ({ entries, exchanges }) => {
    const step = first(entries.filter((entry) => entry.kind === 'step' && entry.label === steps.returns(name).label));
    const end = first(entries.filter((entry) => entry.kind === 'outcome' && entry.step === step.seq));
    for (const save of exchanges('auth->ehr', SAVE_AUTH_INFO))
      if (save.seq > step.seq && save.seq < end.seq) Object.assign(save, { link: 'auth->sms' });
  };

export const signKeptChecks: readonly Check[] = CASES.map((name) =>
  check({
    ...ROWS[name],
    scenarios: [signKeptInTrouble, keptAtLink],
    judge(journal) {
      const [during, played] = [journal.step(steps.during(name)), journal.step(steps.returns(name))];
      if (!during || !played) return notRun(journal, steps.returns(name));
      if (keepsNone(journal)) return KEEPS_NONE;
      const control = journal.step(keptAtLink.steps.returns);
      if (!control || !sentTo(control, SAVE_AUTH_INFO).some(({ facts }) => facts.reply?.result))
        return inconclusive('a return without a signature was not saved without any trouble either', control?.evidence);
      if (sentTo(during, SAVE_AUTH_INFO).length === 0)
        return inconclusive('save_auth_info was not sent, so there was no trouble to outlive', during.evidence);
      return keptFor(journal, steps.returns(name));
    },
    red: unsavedReturn(name),
  }),
);
