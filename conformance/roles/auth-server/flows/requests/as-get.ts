/** Requests that change something by POST are sent as a GET. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import type { StepName } from '../../../../engine/journal/entry.ts';
import { byGet } from '../../../../engine/wire/request-change.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { controlDone, fault, isDone, unclear } from '../step-values.ts';
import { performChanged } from './doubled-members.ts';

const endings = ['logout', 'deleteUser'] as const;
type GetEnding = (typeof endings)[number];

const CONFIRM = 'signs in by GET';
const TOKEN = 'exchange token by GET';
const CONTROL = 'exchange token by POST';
const OPENING = [CONFIRM, TOKEN];
const ENDING = endings.map((ending) => `${ending} by GET`);
const afterGet = (ending: GetEnding) => `exchange token after ${ending} by GET`;
const besideGet = (ending: GetEnding) => `exchange token of a newcomer after ${ending} by GET`;

function nothingDone(steps: Steps): Judgement {
  const seen = [...OPENING, ...ENDING].filter((label) => steps.observed(label));
  if (seen.length === 0) steps.of(CONTROL);
  const opened = OPENING.find((label) => steps.observed(label)?.isDone);
  if (opened !== undefined)
    return fault('a refusal, such as HTTP 405', `"${opened}" was carried out`, ...steps.all(opened));
  const control = steps.of(CONTROL);
  for (const ending of endings) {
    const after = steps.find(afterGet(ending));
    if (!isDone(control) || after?.result.kind !== 'refused') continue;
    const beside = steps.find(besideGet(ending));
    return beside && !isDone(beside)
      ? unclear('the server gave a newcomer no exchange token either', after, beside)
      : fault('the session lives on', `${ending} by GET ended it`, ...steps.all(`${ending} by GET`), after);
  }
  if (!seen.some((label) => steps.observed(label)?.isChanged === true))
    return { notApplicable: 'nothing is asked for by POST' };
  return controlDone(control, 'no exchange token was given by POST either');
}

export const asGet = flow({
  id: 'as-get',
  title: 'Requests that come by POST are sent as a GET',
  async play(driver) {
    const gia = await driver.user('Gia');
    const code = await driver.code(gia, 'Gia requests a code');
    await performByGet(driver, gia, 'confirmOtp', CONFIRM, { code });
    const { kind } = await driver.perform(gia, 'confirmOtp', 'signs in by POST', { code });
    if (kind !== 'done') return;
    await performByGet(driver, gia, 'exchangeToken', TOKEN);
    await driver.mustSucceed(gia, 'exchangeToken', CONTROL);
    for (const ending of endings) {
      if (!driver.adapter.has(ending)) continue;
      if (!(await performByGet(driver, gia, ending, `${ending} by GET`))) continue;
      const after = await driver.perform(gia, 'exchangeToken', afterGet(ending));
      if (after.kind !== 'done') await tryNewcomer(driver, besideGet(ending));
    }
  },
  checks: {
    'nothing-done-by-get': {
      title: 'A GET opens no session, gives no exchange token and ends nothing',
      requirements: ['K-nothing-by-get'],
      judge: nothingDone,
      advice:
        'Do what changes something at POST alone, and answer 405 to GET: a GET is sent by every image of a foreign page, and its address is logged.',
    },
  },
});

async function tryNewcomer(driver: Driver, label: string): Promise<void> {
  const user = await driver.newcomer(label);
  if (!user) return;
  await driver.trySignIn(user, `${label}: sign-in`);
  await driver.perform(user, 'exchangeToken', label);
}

/** Sends the step's POST as a GET. Returns whether there was a POST to change. */
async function performByGet(
  driver: Driver,
  user: User,
  step: StepName,
  label: string,
  input = {},
): Promise<boolean> {
  const options = { change: byGet, defect: 'it comes by GET', ...input };
  const { result, isChanged } = await performChanged(driver, user, step, label, options);
  driver.observe(label, { isChanged, isDone: isChanged && result.kind === 'done' });
  return isChanged;
}
