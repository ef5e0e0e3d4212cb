/** Two scenarios about calls that the authorization server repeats when the EHR server fails. */
import { errorTable } from '#protocol/wire/errors.ts';
import { isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { MAX_RETRIES } from '../../../../engine/wire/troubles.ts';
import { isOwnRepeat, SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import { flow } from '../flow.ts';
import { gotError, isDone, unclear } from '../step-values.ts';
import { exchangeTokenTrouble, saveTrouble } from '../trouble/save-trouble.ts';

/** HTTP statuses of a proxy in front of the EHR server, and the labels of the steps that meet them. */
const STATUSES = [502, 503, 504] as const;
const IN_GATEWAY = STATUSES.map((status) => `while HTTP ${status}` as const);

const TEMPTING = ['hang', 'http-500', 'down', 'reset'].map((fault) => `while: ${fault}`);

/** The first call, a few retries, and one with a newly drawn token; more are retries within retries. */
const MAX_CALLS = 6;

export const gatewayTrouble = flow({
  id: 'gateway-trouble',
  title: 'A proxy in front of the EHR server answers HTTP 502, 503 and 504, and then the call is let through',
  async play(driver) {
    const wes = await driver.signedIn('Wes');
    await driver.mustSucceed(wes, 'exchangeToken', 'before any trouble');
    for (const status of STATUSES) {
      const end = driver.fault(wes, 'exchange-token', { name: 'http-500', status }, MAX_RETRIES);
      const defect = `the answer is HTTP ${status}`;
      await driver.perform(wes, 'exchangeToken', `while HTTP ${status}`, { defect });
      end();
    }
    await driver.perform(wes, 'exchangeToken', 'after all trouble');
  },
  checks: {
    'calls-in-trouble-bounded': {
      title:
        'An EHR server that answers with errors, or not at all, is called a few times at most for one request',
      requirements: ['K-repeats-bounded'],
      also: [exchangeTokenTrouble],
      judge(steps) {
        const inTrouble = steps.in(exchangeTokenTrouble);
        const all = [
          ...IN_GATEWAY.flatMap((each) => steps.all(each)),
          ...TEMPTING.flatMap((each) => inTrouble.all(each)),
        ];
        const met = all.map((played) => ({ played, calls: sentTo(played, SAVE_EXCHANGE_TOKEN).length }));
        const [most] = met.toSorted((a, b) => b.calls - a.calls);
        // `of` ends the judgement if the step was not played at all.
        if (!most?.calls && steps.of('while HTTP 502'))
          return { notApplicable: 'no trouble of the EHR server was met' };
        if (!most || most.calls <= MAX_CALLS) return undefined;
        return {
          expected: `at most ${MAX_CALLS} calls for one request of a client`,
          actual: `${most.calls} calls in the step "${most.played.step.label}"`,
          shownBy: [most.played],
        };
      },
      advice:
        'Retry in one place alone, a few times, with growing pauses and within one timeout for the whole.',
    },
  },
});

const TOKEN_STORED = errorTable.token_already_stored.code;
const LOST = 'the save whose reply is lost';

function isRepeatRefused(played: PlayedStep): boolean {
  const saves = sentTo(played, SAVE_AUTH_INFO);
  return saves.some((save) => isOwnRepeat(save, saves));
}

/** A server that repeats its own save must take token_already_stored for success. */
function serversRepeat(played: PlayedStep): Judgement {
  if (!played.exchanges.some(({ fault }) => fault === 'reply-lost'))
    return unclear('save_auth_info was not sent, so no reply was lost', played);
  if (isDone(played) || !isRepeatRefused(played)) return undefined;
  return {
    expected: 'success: the session is stored, by the first of the two calls',
    actual: `the server repeated its save, was answered token_already_stored, and the client was told a failure (${describe(played.result)})`,
    // As below: the EHR server answered, so an error that follows is not one of time.
    shownBy: gotError(played) ? [played.step, ...sentTo(played, SAVE_AUTH_INFO).slice(-1)] : [played],
    timeSensitive: !gotError(played),
  };
}

/** The client repeats a report that was answered with an error, although the session is stored. */
function clientsRepeat(first: PlayedStep, again: PlayedStep): Judgement {
  const stored = sentTo(first, SAVE_AUTH_INFO).find(({ fault }) => fault === 'reply-lost');
  if (!stored) return unclear('save_auth_info was not sent, so no reply was lost', first);
  if (isDone(again)) return undefined;
  const last = sentTo(again, SAVE_AUTH_INFO).at(-1);
  const { call, reply } = last?.facts ?? {};
  const isRepeat = call?.token === stored.facts.call?.token && call?.user === stored.facts.call?.user;
  // Other outcomes are judged by the check that the next attempt after a lost reply succeeds.
  if (!last || reply?.code !== TOKEN_STORED || !isRepeat || !gotError(again))
    return unclear(`the repeat was not answered token_already_stored (${describe(again.result)})`, again);
  return {
    expected: 'success: the session is stored, by the report whose reply was lost',
    actual: `the client repeated its report, the EHR server answered token_already_stored, and the client was told a failure (${describe(again.result)})`,
    // The steps are named without their exchanges: the EHR server answered, so nothing was late.
    shownBy: [stored, again.step, last],
  };
}

function ownRepeats(steps: Steps, journal: JournalView): Judgement {
  const byServer = steps.all(LOST).slice(0, 1).map(serversRepeat)[0];
  if (isFault(byServer)) return byServer;
  const [reports, ending] = [steps.in(saveTrouble), journal.ending('save-trouble')];
  const isUnreported = ending && !ending.stopped && !reports.find('after: reply-lost');
  const byClient = isUnreported
    ? undefined
    : clientsRepeat(reports.of('while: reply-lost'), reports.of('after: reply-lost'));
  return byClient ?? serversRepeat(steps.of(LOST));
}

export const oneLostReply = flow({
  id: 'one-lost-reply',
  title: 'The reply to a save is lost once, so that a repeat finds the token stored already',
  waits: ({ resend }) => resend,
  async play(driver) {
    const zoe = await driver.user('Zoe');
    const defect = 'the first reply of the EHR server is lost';
    await driver.signIn(zoe, 'Zoe signs in');
    await driver.linkUnreported(zoe, 'Zoe');
    const isReported = driver.adapter.has('reportLink');
    const endFirst = driver.fault(zoe, 'exchange-token', { name: 'reply-lost' });
    await driver.perform(zoe, 'exchangeToken', 'the exchange token whose reply is lost', { defect });
    endFirst();
    if (!isReported && !(await driver.time.passResendPause())) return;
    const end = driver.fault(zoe, 'auth-info', { name: 'reply-lost' });
    if (isReported) await driver.perform(zoe, 'reportLink', LOST, { defect });
    else await driver.trySignIn(zoe, LOST, { defect, userSign: zoe.userSign as string });
    end();
  },
  checks: {
    'own-repeat-is-success': {
      title:
        'When a save whose reply was lost is repeated, token_already_stored of the own session is success',
      requirements: ['D38-own-repeat-succeeds'],
      also: [saveTrouble],
      judge: ownRepeats,
      advice:
        'When a repeat of your own save, with the same user and token, is answered token_already_stored, the first one was carried out: answer the client with success.',
    },
  },
});
