/** Probes of the faults in codes, their sending, and what clients are told. */
import { createHash } from 'node:crypto';
import { ANN, BEA, NO_MEMBER, otherThan, STRANGER, signIn, type World } from './drive.ts';
import { confirmReturn, linkUser, type Probe, probe } from './probe.ts';

/** Whether a code is accepted instead of the right one. */
const accepts = (make: (code: string) => unknown): Probe =>
  probe(async (world) => {
    const attempt = await world.attempt(ANN);
    return world.isDone(await world.confirm(attempt, make(attempt.code)));
  });

const repeatsCodes = probe(async (world) => (await world.attempt(ANN)).code === (await world.attempt(BEA)).code);

const takesOldCode = probe(async (world) => {
  const old = await world.attempt(ANN);
  await world.attempt(ANN);
  return world.isDone(await world.confirm(old, old.code));
});

async function refusalHas(world: World, make: (code: string) => string): Promise<boolean> {
  const attempt = await world.attempt(ANN);
  return (await world.confirm(attempt, otherThan(attempt.code))).text.includes(make(attempt.code));
}

/** Whether another code is sent within the pause, after `between`. */
const sendsAgain = (between: (world: World) => Promise<unknown>, phone: string = ANN): Probe =>
  probe(
    async (world) => {
      await between(world);
      return world.isDone(await world.request(phone));
    },
    { resendSeconds: 30 },
  );

const readsOthersSign = probe(async (world) => {
  const { sign } = await linkUser(world, ANN);
  await confirmReturn(world, ANN, sign);
  const attempt = await world.attempt(BEA);
  return (await world.confirm(attempt, attempt.code)).text.includes(sign);
});

/** Exceeds the tries of a code. */
const GUESS_COUNT = 8;

export const codeProbes: Readonly<Record<string, Probe>> = {
  'code-in-reply': probe(async (world) => (await world.request(ANN)).text.includes(await world.sms.code(ANN))),
  'code-in-header': probe(async (world) => {
    const { headers } = await world.request(ANN);
    return JSON.stringify([...headers]).includes(await world.sms.code(ANN));
  }),
  'code-in-challenge': probe(async (world) => {
    const { challenge, code } = await world.attempt(ANN);
    return Buffer.from(String(challenge), 'base64url').includes(code);
  }),
  'code-same-for-all': repeatsCodes,
  'codes-from-clock': repeatsCodes,
  'codes-counting': probe(async (world) => {
    const [first, second] = [await world.attempt(ANN), await world.attempt(BEA)];
    return Number(second.code) - Number(first.code) === 1;
  }),
  'code-from-phone': probe(async (world) => (await world.attempt(ANN)).code === ANN.slice(-6)),
  'empty-code-accepted': accepts(() => ''),
  'null-code-accepted': accepts(() => null),
  'array-code-accepted': accepts(() => []),
  'master-code': probe(async (world) => {
    const [first, second] = [await world.attempt(ANN), await world.attempt(BEA)];
    const replies = [await world.confirm(first, '000000'), await world.confirm(second, '123456')];
    return replies.some((reply) => world.isDone(reply));
  }),
  'no-confirmation': accepts(otherThan),
  'old-challenge-lives': takesOldCode,
  'older-code-accepted': takesOldCode,
  'code-of-any-phone': probe(async (world) => {
    const [ann, bea] = [await world.attempt(ANN), await world.attempt(BEA)];
    return world.isDone(await world.confirm(ann, bea.code));
  }),
  'codes-never-expire': probe(async (world) => {
    const attempt = await world.attempt(ANN);
    world.advance(300_000);
    return world.isDone(await world.confirm(attempt, attempt.code));
  }),
  'code-works-twice': probe(async (world) => {
    const attempt = await world.attempt(ANN);
    await world.confirm(attempt, attempt.code);
    return world.isDone(await world.confirm(attempt, attempt.code));
  }),
  'code-used-late': probe(async (world) => {
    const attempt = await world.attempt(ANN);
    const replies = await world.confirmTogether(attempt, [attempt.code, attempt.code, attempt.code]);
    return replies.filter((reply) => reply.includes('"ttl"')).length > 1;
  }),
  'tries-counted-late': probe(async (world) => {
    const attempt = await world.attempt(ANN);
    const guesses = Array.from({ length: GUESS_COUNT }, () => otherThan(attempt.code));
    const replies = await world.confirmTogether(attempt, [...guesses, attempt.code]);
    return replies.at(-1)?.includes('"ttl"') === true;
  }),
  'tries-not-limited': probe(async (world) => {
    const attempt = await world.attempt(ANN);
    for (let tried = 0; tried < 5; tried++) await world.confirm(attempt, otherThan(attempt.code));
    return world.isDone(await world.confirm(attempt, attempt.code));
  }),
  'tries-by-claimed-address': probe(async (world) => {
    const attempt = await world.attempt(ANN);
    const from = (number: number, code: string) =>
      world.confirm(attempt, code, undefined, { 'x-forwarded-for': `203.0.113.${number}` });
    for (let tried = 0; tried < GUESS_COUNT; tried++) await from(tried, otherThan(attempt.code));
    return world.isDone(await from(GUESS_COUNT, attempt.code));
  }),
  'code-in-refusal': probe((world) => refusalHas(world, (code) => code)),
  'code-in-error': probe((world) => refusalHas(world, (code) => code)),
  'password-in-refusal': probe((world) => refusalHas(world, () => 'pässword')),
  'password-in-error': probe((world) => refusalHas(world, () => 'pässword')),
  'accounts-in-reply': readsOthersSign,
  'last-sign-in-reply': readsOthersSign,
  'unknown-phones-told': probe(async (world) => {
    const [known, unknown] = [await world.request(NO_MEMBER), await world.request(STRANGER)];
    return known.status !== unknown.status || Object.keys(known.body).join() !== Object.keys(unknown.body).join();
  }),
  'no-pause': sendsAgain((world) => world.request(ANN)),
  'pause-per-spelling': sendsAgain((world) => world.request(ANN), '+7 (999) 555-00-01'),
  'pause-reset-by-success': sendsAgain((world) => signIn(world, ANN)),
  'pause-reset-by-deletion': sendsAgain(async (world) => world.remove(await signIn(world, ANN))),
  'no-cap': probe(
    async (world) => {
      for (let sent = 0; sent < 3; sent++) await world.request(ANN);
      return world.isDone(await world.request(ANN));
    },
    { codesPerDay: 3 },
  ),
  'last-four-compared': accepts((code) => `${code[0] === '5' ? '6' : '5'}${code.slice(1)}`),
  'code-sought-in-text': accepts((code) => `5${code}5`),
  'used-code-emptied': probe(async (world) => {
    const attempt = await world.attempt(ANN);
    await world.confirm(attempt, attempt.code);
    return world.isDone(await world.confirm(attempt, ''));
  }),
  'code-hash-in-challenge': probe(async (world) => {
    const { challenge, code } = await world.attempt(ANN);
    return String(challenge).startsWith(createHash('md5').update(code).digest('hex'));
  }),
  'every-phone-of-list-sent': probe(async (world) => {
    if (!world.isDone(await world.request([ANN, BEA]))) return false;
    return (await world.sms.code(ANN)) === (await world.sms.code(BEA));
  }),
  'phones-split-at-comma': probe(async (world) => {
    await world.request(`${ANN},${BEA}`);
    return world.sms.count(BEA) > 0;
  }),
  'phone-of-confirmation-wins': probe(async (world) => {
    const { user } = await signIn(world, BEA);
    const attempt = await world.attempt(ANN);
    const reply = await world.confirm(attempt, attempt.code, undefined, {}, BEA);
    return world.isDone(reply) && world.sessionOf(reply).user === user;
  }),
  'sign-skips-code': probe(async (world) => {
    const { sign } = await linkUser(world);
    const attempt = await world.attempt(ANN);
    return world.isDone(await world.confirm(attempt, otherThan(attempt.code), sign));
  }),
  'last-ten-digits': probe(async (world) => {
    const other = `4${ANN.slice(1)}`;
    return (await signIn(world, ANN)).user === (await signIn(world, other)).user;
  }),
  'message-to-last-asker': probe(async (world) => {
    await Promise.all([world.request(ANN), world.request(BEA)]);
    return world.sms.count(ANN) !== 1;
  }),
  'pause-read-early': probe(
    async (world) => {
      await Promise.all([world.request(ANN), world.request(ANN)]);
      return world.sms.count(ANN) > 1;
    },
    { resendSeconds: 30 },
  ),
  'get-carried-out': probe(async (world) => (await fetch(`${world.url()}/otp?phone=${ANN}`)).ok),
  'trace-told': probe(async (world) => (await world.raw({ 'content-type': 'application/json' }, '{')).status === 500),
  'broken-body-is-internal': probe(
    async (world) => (await world.raw({ 'content-type': 'application/json' }, '{')).status === 500,
  ),
  'half-character-is-internal': probe(
    async (world) => (await world.raw({ 'content-type': 'application/json' }, '"\\ud800"')).status === 500,
  ),
  'text-plain-accepted': probe(async (world) => {
    const headers = { 'content-type': 'text/plain' };
    return (await world.raw(headers)).status !== 415;
  }),
  'any-origin-allowed': probe(async (world) => {
    const { headers } = await world.raw({ 'content-type': 'application/json', origin: 'https://evil.example' });
    return headers.has('access-control-allow-origin');
  }),
  'replies-may-be-cached': probe(async (world) => {
    const attempt = await world.attempt(ANN);
    const { headers } = await world.confirm(attempt, attempt.code);
    return headers.get('cache-control') !== 'no-store';
  }),
};
