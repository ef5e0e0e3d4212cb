/** The EHR server shows certificates that nobody must trust. */
import type { FlowCheck } from '../../../../engine/check/flow.ts';
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import type { WrongCertificate } from '../../../../engine/wire/tls-side.ts';
import { flow } from '../flow.ts';
import { controlDone, faultUnlessSlow, gotError, isDone, unclear } from '../step-values.ts';

const ID = 'certificates';
const BEFORE = 'before any wrong certificate';

const KINDS: Readonly<Record<WrongCertificate, { words: string; absent: string; advice: string }>> = {
  foreign: {
    words: 'comes from an unknown authority',
    absent: 'the kit listens with plain HTTP: ehr.tls is not set, so there is no certificate to verify',
    advice:
      'Switch the verification of certificates on for calls to the EHR server (no rejectUnauthorized: false, verify=False, trust-all manager or the like), and name its authority as a trusted one.',
  },
  'other-name': {
    words: 'is for another name',
    absent: 'the adapter file names no certificate for another name (ehr.tls.otherName)',
    advice:
      'Switch the verification of host names on for calls to the EHR server: a certificate of the right authority for another host is not the EHR server.',
  },
};

function callsNobody(steps: Steps, journal: JournalView, wrong: WrongCertificate): Judgement {
  const during = steps.of(`while: ${wrong}`);
  // The observation marks the end: it is recorded when the right certificate is shown again.
  const [seen] = journal.observations({ scenario: ID, label: `while: ${wrong}` });
  if (!seen) return { notApplicable: KINDS[wrong].absent };
  const crossed = journal.exchanges('auth->ehr').filter(({ seq }) => seq > during.step.seq && seq < seen.seq);
  if (crossed.length > 0)
    return {
      expected: `no call reaches an EHR server whose certificate ${KINDS[wrong].words}`,
      actual: `${crossed[0]?.facts.call?.method ?? 'a request'} was sent to it, with its credentials`,
      shownBy: [during, ...crossed],
    };
  if (!isDone(during)) return undefined;
  return {
    expected: 'an error to the client, because the EHR server could not be called',
    actual: 'the client was told that it succeeded',
    shownBy: [during],
    advice:
      'When the EHR server gives no acknowledgement, answer the client with an error and give out nothing.',
  };
}

/** Judges that the client is told. Unclear if the right certificate fails too, or if the server did not connect. */
function judgeTold(steps: Steps, wrong: WrongCertificate): Judgement {
  const during = steps.of(`while: ${wrong}`);
  for (const control of [steps.of(BEFORE), steps.of(`after: ${wrong}`)])
    if (!isDone(control))
      return controlDone(
        control,
        `with the right certificate "${control.step.label}" did not succeed either`,
      );
  if (!steps.observed(`while: ${wrong}`)?.connections)
    return unclear('the server under test did not connect, so it was shown no certificate', during);
  if (gotError(during)) return undefined;
  return {
    ...faultUnlessSlow('an error to the client, in bounded time', describe(during.result), during),
    advice: 'Take a certificate that is not accepted for a failed call, and answer the client with an error.',
  };
}

const refusedCertificate = (wrong: WrongCertificate): FlowCheck => ({
  title: `Over https nothing is sent to an EHR server whose certificate ${KINDS[wrong].words}`,
  requirements: ['K-certificate-verified'],
  leftOut: KINDS[wrong].absent,
  judge: (steps, journal) => callsNobody(steps, journal, wrong) ?? judgeTold(steps, wrong),
  advice: KINDS[wrong].advice,
});

export const certificates = flow({
  id: ID,
  title: 'The EHR server shows a certificate that nobody must trust',
  // Any connection gets the wrong certificate meanwhile, so no other scenario may run at the same time.
  when: 'last',
  async play(driver) {
    const { certificates: certs } = driver;
    if (!certs) return;
    const vera = await driver.user('Vera');
    await driver.signIn(vera, 'signs in');
    await driver.perform(vera, 'exchangeToken', BEFORE);
    for (const wrong of certs.wrong) {
      const restore = certs.show(wrong);
      const label = `while: ${wrong}`;
      await driver
        .perform(vera, 'exchangeToken', label, { defect: `the certificate of the EHR server: ${wrong}` })
        .finally(() => driver.observe(label, { connections: restore() }));
      await driver.perform(vera, 'exchangeToken', `after: ${wrong}`);
    }
  },
  checks: {
    'foreign-certificate-refused': refusedCertificate('foreign'),
    'other-name-refused': refusedCertificate('other-name'),
  },
});
