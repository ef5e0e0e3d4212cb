import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { NO_UTF8, withBody } from '../../../../engine/wire/request-change.ts';
import type { Driver } from '../../people/driver.ts';
import { aroundNames, emptyNames, noTextNames, oddCodes } from '../codes/odd-codes.ts';
import { severalPhones, togetherWays } from '../codes/several-phones.ts';
import { flow } from '../flow.ts';
import { fault, isDone, unclear } from '../step-values.ts';

/** In JSON the first of two `\u` escapes of one character, in a form a byte (`%ff`) that is no UTF-8. */
const HALF = 'with half a character';

/** The name of a body with a byte that is no UTF-8, in its last value. */
const BYTE = 'with a byte that is no UTF-8';

/** The changes of a request's body by name. A body that begins with `{` is JSON, another one a form. */
const BODIES = {
  'cut off': (body: string) => body.slice(0, CUT_CHARS),
  'without anything in it': (body: string) => (body.startsWith('{') ? '{}' : ''),
  [HALF]: (body: string) => (body.startsWith('{') ? body.replace(/"(?=[^"]*$)/, '\\ud800"') : `${body}%ff`),
  [BYTE]: (body: string) =>
    body.startsWith('{') ? body.replace(/"(?=[^"]*$)/, `${NO_UTF8}"`) : `${body}${NO_UTF8}`,
} as const;

/** A body that is cut off ends within the first name of JSON, or the first value of a form. */
const CUT_CHARS = 8;

type Body = keyof typeof BODIES;
type Asked = 'requestOtp' | 'confirmOtp';
const bodyNames = Object.keys(BODIES) as Body[];
const ASKED: Record<Asked, string> = { requestOtp: 'a request for a code', confirmOtp: 'a confirmation' };
const askedNames = Object.keys(ASKED) as Asked[];

/** A server may ignore half a character in a phone, so it is sent where the last value is a code. */
const isSent = ({ adapter }: Driver, asked: Asked, name: Body) =>
  adapter.has(asked) &&
  ((name !== HALF && name !== BYTE) || (asked === 'confirmOtp' && adapter.has('requestOtp')));

/** Texts that stand in place of a phone, or of a code, by their names in labels. */
const TEXTS = {
  'letters beyond ASCII': 'ключ-é-日本-😀',
  'control characters': '\u0000\u0007\u001b[31m\u0085',
} as const;
const textNames = Object.keys(TEXTS) as (keyof typeof TEXTS)[];

const SIGN_IN = 'Rob signs in afterwards';
const OWN = askedNames.flatMap((asked) =>
  [...bodyNames, ...textNames.map((name) => `with ${name}` as const)].map(
    (name) => `${ASKED[asked]} ${name}`,
  ),
);

/** All malformed requests of a run: those of this scenario, and those of `odd-codes` and `several-phones`. */
function malformedOnes(steps: Steps): PlayedStep[] {
  const [codes, phones] = [steps.in(oddCodes), steps.in(severalPhones)];
  return [
    ...OWN.flatMap((label) => steps.all(label)),
    ...[...emptyNames, ...noTextNames, ...aroundNames].flatMap((name) =>
      codes.all(`${name} in place of the code`),
    ),
    ...togetherWays.flatMap((way) => phones.all(`a code for the phones of both, ${way}`)),
  ];
}

function allRefused(steps: Steps): Judgement {
  const played = malformedOnes(steps);
  const broken = played.filter(({ result }) => result.kind === 'failed' && result.what === 'server-error');
  const [one] = broken;
  if (one)
    return fault(
      'a refusal: HTTP 4xx, or a JSON-RPC error',
      `${describe(one.result)}, at ${labelsOf(broken)}`,
      ...broken.slice(0, MAX_EVIDENCE),
    );
  const control = steps.of(SIGN_IN);
  if (!isDone(control))
    return unclear(`a good request did not succeed either (${describe(control.result)})`, control);
  const silent = played.find(({ result }) => result.kind === 'failed' && result.what !== 'unexpected-answer');
  if (silent) return unclear(describe(silent.result), silent);
  const taken = played.find((each) => each.step.scenario === 'malformed' && isDone(each));
  return taken && { notApplicable: `the server takes it for a good request (at "${taken.step.label}")` };
}

function labelsOf(played: readonly PlayedStep[]): string {
  const labels = [...new Set(played.map(({ step }) => `"${step.label}"`))];
  return `${labels.slice(0, 3).join(', ')}${labels.length > 3 ? ', …' : ''}`;
}

export const malformed = flow({
  id: 'malformed',
  title: 'Requests come with a body that is cut off or empty, or with texts that are no phone and no code',
  needs: ['confirmOtp'],
  codes: 3,
  async play(driver) {
    const rob = await driver.user('Rob');
    for (const asked of askedNames)
      for (const name of bodyNames)
        if (isSent(driver, asked, name))
          // An empty `requestSeq` sends the values of the newest request: there is no code with a request.
          await driver.perform({ ...rob }, asked, `${ASKED[asked]} ${name}`, {
            change: withBody(BODIES[name]),
            defect: `the body is ${name}`,
            ...(asked === 'confirmOtp' && { code: '000000', requestSeq: '' }),
          });
    for (const name of textNames) {
      const sent = { requestOtp: { phone: TEXTS[name] }, confirmOtp: { code: TEXTS[name], requestSeq: '' } };
      for (const asked of askedNames)
        if (driver.adapter.has('requestOtp'))
          await driver.perform({ ...rob }, asked, `${ASKED[asked]} with ${name}`, {
            ...{ defect: `it has ${name}`, ...sent[asked] },
          });
    }
    await driver.signIn(rob, SIGN_IN);
  },
  checks: {
    'malformed-refused': {
      title: 'What is no good request is refused, and is no error of the server',
      requirements: ['K-malformed-refused'],
      also: [oddCodes, severalPhones],
      judge: allRefused,
      advice:
        'Verify the type of everything that a request has in it before it is used, and answer what is wrong with 400.',
    },
  },
});
